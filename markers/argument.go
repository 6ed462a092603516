package markers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxSecretKeyLength and the rules in isSecretKey are those of
// k8s.io/apimachinery/pkg/util/validation.IsConfigMapKey, which the API server
// applies to the keys of a Secret.
const maxSecretKeyLength = 253

// choices returns the values that an argument may have, or nil if they can't be
// listed.
func (a *Argument) choices() []string {
	if a.Type == Boolean {
		return []string{"true", "false"}
	}
	return a.Choices
}

// check returns what to do about a text that the argument can't hold, or "".
func (a *Argument) check(text string) (remedy string) {
	if choices := a.choices(); choices != nil {
		if slices.Contains(choices, text) {
			return ""
		}
		if near, found := nearest(text, choices); found {
			return "did you mean " + near + "?"
		}
		return "write " + joinOr(choices)
	}
	switch a.Type {
	case Text:
		if text == "" || !utf8.ValidString(text) {
			return "write text in UTF-8 that is not empty, such as " + a.Example
		}
	case SecretKey:
		if !isSecretKey(text) {
			return "write the key of a Secret, which has at most 253 letters, digits, hyphens, dots and underscores, such as " + a.Example
		}
	case GoType:
		if !isGoName(text) {
			return "write the name of a Go type, such as " + a.Example + " or example.org/apis/ec2." + a.Example
		}
	case GoCall:
		if !isGoCall(text) {
			return "write the call of a Go function with literals or constants, such as " + a.Example +
				` or example.org/apis/ec2.Attribute("id", true)`
		}
	case GoField:
		if !token.IsIdentifier(text) {
			return "write the Go name of a field, such as " + a.Example
		}
	}
	return ""
}

func isSecretKey(text string) bool {
	if text == "" || len(text) > maxSecretKeyLength || text == "." || strings.HasPrefix(text, "..") {
		return false
	}
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !isASCIILetterOrDigit(r) && !strings.ContainsRune("-._", r)
	})
}

// isGoName reports whether the text is the name of something that a Go package
// declares, after the import path of the package and a dot if there is one.
func isGoName(text string) bool {
	dot := strings.LastIndexByte(text, '.')
	return token.IsIdentifier(text[dot+1:]) && (dot < 0 || isImportPath(text[:dot]))
}

// isImportPath reports whether the text has the form of an import path: see the
// package golang.org/x/mod/module.
func isImportPath(text string) bool {
	for element := range strings.SplitSeq(text, "/") {
		if element == "" || strings.ContainsFunc(element, func(r rune) bool {
			return !isASCIILetterOrDigit(r) && !strings.ContainsRune("-._~+", r)
		}) {
			return false
		}
	}
	return true
}

func isASCIILetterOrDigit(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// isGoCall reports whether the text is a call, see [GoCall]. The text becomes
// part of generated code, in which no other package is imported for its
// arguments.
func isGoCall(text string) bool {
	parenthesis := strings.IndexByte(text, '(')
	if parenthesis < 0 || !isGoName(text[:parenthesis]) {
		return false
	}
	expression := "f" + text[parenthesis:]
	files := token.NewFileSet()
	parsed, err := parser.ParseExprFrom(files, "", expression, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	call, ok := parsed.(*ast.CallExpr)
	// What follows the call can only be a comment, which would swallow generated code.
	if !ok || files.Position(call.Rparen).Offset != len(expression)-1 || call.Ellipsis.IsValid() {
		return false
	}
	if function, ok := call.Fun.(*ast.Ident); !ok || function.Name != "f" {
		return false
	}
	return !slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !isConstant(e) })
}

// isConstant reports whether an expression is a literal, with a sign or without
// one, or a name.
func isConstant(e ast.Expr) bool {
	if signed, ok := e.(*ast.UnaryExpr); ok && (signed.Op == token.SUB || signed.Op == token.ADD) {
		e = signed.X
	}
	switch e.(type) {
	case *ast.BasicLit, *ast.Ident:
		return true
	}
	return false
}
