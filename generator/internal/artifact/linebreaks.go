package artifact

import "bytes"

// Git may check files out with the line breaks of Windows, and put them back into those
// of Unix when they are committed (core.autocrlf, or .gitattributes). So a file keeps
// the line breaks that it has, as far as they are all the same, and is up to date
// whichever it has. New files have those of Unix, which all tools take.

// withLineBreaks returns a text with the line breaks of another, if these are all those
// of Windows.
func withLineBreaks(text, like []byte) []byte {
	if !isWindows(like) {
		return text
	}
	return bytes.ReplaceAll(bytes.ReplaceAll(text, crlf, lf), lf, crlf)
}

// UnixLineBreaks returns a text with the line breaks of Unix, if all that it has are those
// of Windows. So a file on disk is what was generated, whichever it has.
func UnixLineBreaks(text []byte) []byte {
	if !isWindows(text) {
		return text
	}
	return bytes.ReplaceAll(text, crlf, lf)
}

var lf, crlf = []byte("\n"), []byte("\r\n")

// isWindows reports whether all line breaks of a text are those of Windows, and there
// is one.
func isWindows(text []byte) bool {
	if bytes.IndexByte(text, '\r') < 0 {
		return false // as nearly always
	}
	breaks := bytes.Count(text, crlf)
	return breaks > 0 && breaks == bytes.Count(text, lf) && breaks == bytes.Count(text, []byte("\r"))
}
