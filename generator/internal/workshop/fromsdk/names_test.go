package fromsdk

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Why a function may look at names, other than to decide.
const (
	isText     = "it reads texts of this package's own, or writes prose"
	isSyntax   = "it reads a tag, or names that another rule of Go or of a generator gives"
	isComment  = "it reads the SDK's comments, so its decisions are documented"
	isVisible  = "the kind lacks the field, which a check says"
	isTried    = "the generated tests try it, and fail if it is wrong"
	isCombined = "the type decides, and the name only chooses among several that fit, which an error or a check names"
)

// matchers are the functions that match names, with the decision that each of them leads to, or why there is none.
var matchers = map[string]string{
	"stem": "deletes the object", "choose": "deletes the object", "findCalls": "reads the object", "findReads": "reads the object",
	"best": "says that the object is absent", "notFound": "says that the object is absent", "isOwnError": "says that the object is absent",
	"isOwn": "the external name is", "findOwn": "the external name is", "keyIn": "returns the external name in",
	"parentName": "is what the SDK calls", "refer": "it refers to",
	"isState": "is ready by its state", "isStateWord": "ready once it exists", "isUnordered": "lists without order",
	"nextIn": "reads one page", "askCalls": "returns the external name in", "hasOtherID": "the external name is", "mayBeSecret": "it may be a secret",
	"idOf": "objects as IDs", "isAbout": "deletes the object",

	"isToken": isVisible, "isDropped": isVisible, "leaveHidden": isVisible,
	"decideMethod": isComment, "tells": isComment, "isDeprecated": isComment, "isOutputOnly": isComment, "isRequired": isComment, "askCondition": isComment,
	"parameter": isComment, "field": isComment, "qualify": isSyntax,
	"objectIn": isCombined, "observation": isCombined, "responseIn": isCombined, "clientOf": isCombined,
	"construct": isTried, "take": isTried, "arguments": isTried, "options": isTried, "set": isTried, "serviceAt": isTried, "findBy": isTried,
	"drops": isSyntax, "awaited": isSyntax, "isAlwaysSent": isSyntax, "isBelow": isSyntax, "methods": isSyntax, "hide": isText, "adapted": isText,
	"addEnum": isText, "refuseEmpty": isText,
	"structName": isText, "leave": isText, "unseen": isText, "findInputs": isText, "comment": isText, "wrap": isText,
}

// checkMatchers checks that each function which matches names says what becomes of it, and that each decision is a
// suggestion of a kind: with a check at its place, as TestRead holds.
func checkMatchers(t *testing.T, suggested string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && !strings.HasSuffix(name, "_test.go") && matchesNames(f) {
				found[f.Name.Name] = true
			}
		}
	}
	for name := range found {
		if matchers[name] == "" {
			t.Errorf("%s matches names: say in matchers which decision records that", name)
		}
	}
	for name, decision := range matchers {
		switch {
		case !found[name]:
			t.Errorf("%s matches no names: drop it from matchers", name)
		case slices.Contains([]string{isText, isSyntax, isComment, isVisible, isTried, isCombined}, decision):
		case !strings.Contains(suggested, decision):
			t.Errorf("no kind has the suggestion of %s: %s", name, decision)
		}
	}
}

// matchesNames reports whether a function compares texts by their ends, by parts, by patterns or with lists of words.
func matchesNames(f *ast.FuncDecl) (matches bool) {
	for n := range ast.Preorder(f) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		from, _ := selector.X.(*ast.Ident)
		switch name := selector.Sel.Name; {
		case name == "MatchString":
			return true
		case from != nil && from.Name == "strings":
			matches = matches || slices.Contains([]string{"HasPrefix", "HasSuffix", "EqualFold", "Contains", "CutPrefix", "CutSuffix"}, name)
		case from != nil && from.Name == "slices" && name == "Contains":
			_, isList := call.Args[0].(*ast.CompositeLit)
			matches = matches || isList
		}
	}
	return matches
}
