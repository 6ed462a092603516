package lateinit

import "github.com/dave/jennifer/jen"

// A helper is a function of the package that the stage helpers writes.
type helper string

const (
	pointerTo       helper = "PointerTo"
	valueOf         helper = "ValueOf"
	isZero          helper = "IsZero"
	deepCopy        helper = "DeepCopy"
	convertSlice    helper = "ConvertSlice"
	convertMap      helper = "ConvertMap"
	addMissing      helper = "AddMissing"
	areUnique       helper = "AreUnique"
	isBase64        helper = "IsBase64"
	isCIDR          helper = "IsCIDR"
	isDate          helper = "IsDate"
	isDateTime      helper = "IsDateTime"
	isDuration      helper = "IsDuration"
	isIPv4          helper = "IsIPv4"
	isIPv6          helper = "IsIPv6"
	isMAC           helper = "IsMAC"
	isURI           helper = "IsURI"
	isUUID          helper = "IsUUID"
	tryConvertSlice helper = "TryConvertSlice"
	tryConvertMap   helper = "TryConvertMap"
	itself          helper = "Itself"
	pathIf          helper = "PathIf"
	diffValue       helper = "DiffValue"
	sameQuantity    helper = "SameQuantity"
	sameJSON        helper = "SameJSON"
	pathsWithin     helper = "PathsWithin"
	diffSlice       helper = "DiffSlice"
	diffSubset      helper = "DiffSubset"
	diffSet         helper = "DiffSet"
	diffItems       helper = "DiffItems"
	diffKeyed       helper = "DiffKeyed"
	diffEntries     helper = "DiffEntries"
	missingEntries  helper = "MissingEntries"
	diffMap         helper = "DiffMap"
	withoutPaths    helper = "WithoutPaths"
)

// help returns a call of a helper.
func (w *pairWriter) help(h helper, arguments ...jen.Code) *jen.Statement {
	return w.helper(h).Call(arguments...)
}

// helper returns a helper.
func (w *pairWriter) helper(h helper) *jen.Statement { return w.Helper(string(h)) }
