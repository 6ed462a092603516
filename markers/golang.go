package markers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"golang.org/x/mod/module"
)

// SplitGoName splits the value of a [GoType] argument, or the function of a [GoCall], into an import path and a
// declared name. Without a path, importPath is "".
func SplitGoName(text string) (importPath, name string) {
	dot := strings.LastIndexByte(text, '.')
	return text[:max(dot, 0)], text[dot+1:]
}

// A Call is the parsed value of a [GoCall] argument.
type Call struct {
	// Package is the import path of the function's package, or "".
	Package   string
	Function  string
	Arguments []CallArgument
}

// A CallArgument is an argument of a [Call].
type CallArgument struct {
	// Text is the argument as it is written, with its sign.
	Text string
	// Kind is a literal's token, such as [token.STRING], or [token.IDENT] for a name.
	Kind token.Token
}

// ParseGoCall parses the value of a [GoCall] argument, and reports whether it is one. Generated code can
// contain the arguments verbatim: they need no import.
func ParseGoCall(text string) (call Call, ok bool) {
	parenthesis := strings.IndexByte(text, '(')
	if parenthesis < 0 || !isGoName(text[:parenthesis]) {
		return Call{}, false
	}
	call.Package, call.Function = SplitGoName(text[:parenthesis])
	expression := "f" + text[parenthesis:]
	files := token.NewFileSet()
	parsed, err := parser.ParseExprFrom(files, "", expression, parser.SkipObjectResolution)
	if err != nil {
		return Call{}, false
	}
	offset := func(pos token.Pos) int { return files.Position(pos).Offset }
	syntax, ok := parsed.(*ast.CallExpr)
	// A comment could follow the call, and would swallow what generated code writes after it.
	// Arguments with ... need the signature, which isn't known here.
	if !ok || offset(syntax.Rparen) != len(expression)-1 || syntax.Ellipsis.IsValid() {
		return Call{}, false
	}
	// f()() and f().g() parse as calls, too.
	if function, ok := syntax.Fun.(*ast.Ident); !ok || function.Name != "f" {
		return Call{}, false
	}
	for _, e := range syntax.Args {
		kind := constantKind(e)
		if kind == token.ILLEGAL { // an expression may refer to packages that aren't imported
			return Call{}, false
		}
		call.Arguments = append(call.Arguments, CallArgument{Text: expression[offset(e.Pos()):offset(e.End())], Kind: kind})
	}
	return call, true
}

// constantKind returns the kind of a name or of a literal, which may have a sign, and
// [token.ILLEGAL] for other expressions.
func constantKind(e ast.Expr) token.Token {
	// -1 is a sign and a literal in Go's syntax.
	if signed, ok := e.(*ast.UnaryExpr); ok && (signed.Op == token.SUB || signed.Op == token.ADD) {
		e = signed.X
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind
	case *ast.Ident:
		return token.IDENT
	}
	return token.ILLEGAL
}

// isGoName reports whether the text is a Go name, or an import path, a dot and a Go name.
func isGoName(text string) bool {
	importPath, name := SplitGoName(text)
	return token.IsIdentifier(name) && (!strings.Contains(text, ".") || module.CheckImportPath(importPath) == nil)
}
