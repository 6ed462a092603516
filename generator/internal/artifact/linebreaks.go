package artifact

import "bytes"

// Git may check out files with Windows line breaks, and convert them back on commit (core.autocrlf, or .gitattributes).
// So a file with only Windows line breaks keeps them, and is up to date with either kind. New files have Unix line
// breaks, which all tools accept.

// withLineBreaks returns a text with Windows line breaks if like has only these.
func withLineBreaks(text, like []byte) []byte {
	if !isWindows(like) {
		return text
	}
	return bytes.ReplaceAll(bytes.ReplaceAll(text, crlf, lf), lf, crlf)
}

// UnixLineBreaks returns a text with Unix line breaks if it has only Windows ones: the text that mrgen generated before
// git converted it.
func UnixLineBreaks(text []byte) []byte {
	if !isWindows(text) {
		return text
	}
	return bytes.ReplaceAll(text, crlf, lf)
}

var lf, crlf = []byte("\n"), []byte("\r\n")

// isWindows reports whether a text has line breaks, and only Windows ones.
func isWindows(text []byte) bool {
	if bytes.IndexByte(text, '\r') < 0 {
		return false // true for nearly all files
	}
	breaks := bytes.Count(text, crlf)
	return breaks > 0 && breaks == bytes.Count(text, lf) && breaks == bytes.Count(text, []byte("\r"))
}
