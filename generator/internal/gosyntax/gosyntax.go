// Package gosyntax reads names in Go's syntax, for packages that look at declarations without their types, and edits Go
// source.
package gosyntax

import (
	"go/ast"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// ImportPath returns the path of an import.
func ImportPath(spec *ast.ImportSpec) string {
	importPath, _ := strconv.Unquote(spec.Path.Value) // otherwise the file would not have been parsed
	return importPath
}

// ImportPaths returns the paths that files import, sorted, each once.
func ImportPaths(files ...*ast.File) []string {
	var paths []string
	for _, file := range files {
		for _, spec := range file.Imports {
			paths = append(paths, ImportPath(spec))
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// EachName visits the names that a declaration declares in its package, except methods.
func EachName(decl ast.Decl, visit func(name *ast.Ident)) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil && decl.Name.Name != "init" && decl.Name.Name != "_" { // no code can refer to these
			visit(decl.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				visit(spec.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if name.Name != "_" {
						visit(name)
					}
				}
			}
		}
	}
}

// FieldNames returns the identifiers that name a field. For an embedded field, that is the identifier of its type, as in
// go/types.
func FieldNames(field *ast.Field) []*ast.Ident {
	if len(field.Names) > 0 {
		return field.Names
	}
	switch t := Element(field.Type).(type) {
	case *ast.Ident:
		return []*ast.Ident{t}
	case *ast.SelectorExpr:
		return []*ast.Ident{t.Sel}
	default:
		return nil
	}
}

// Receiver returns the name of the type that a function is a method of, or "".
func Receiver(f *ast.FuncDecl) string {
	if f.Recv.NumFields() == 0 {
		return ""
	}
	if name, ok := Element(f.Recv.List[0].Type).(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// Element returns a type without the pointers, slices, maps, parentheses and type arguments around it.
func Element(t ast.Expr) ast.Expr {
	for {
		switch of := t.(type) {
		case *ast.StarExpr:
			t = of.X
		case *ast.ArrayType:
			t = of.Elt
		case *ast.MapType:
			t = of.Value
		case *ast.ParenExpr:
			t = of.X
		case *ast.IndexExpr:
			t = of.X
		case *ast.IndexListExpr:
			t = of.X
		default:
			return t
		}
	}
}

// Quoted returns the literal of a text, in backquotes if it can be.
func Quoted(text string) string {
	if strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// Exported returns a name with an upper-case first letter.
func Exported(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + name[size:]
}

// Unexported returns a name with its first word in lower case. The word may be an acronym.
func Unexported(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		rest := runes[i+1:]
		isPlural := len(rest) > 0 && rest[0] == 's' && (len(rest) == 1 || unicode.IsUpper(rest[1])) // "IDsRef" becomes "idsRef"
		isNext := i > 0 && len(rest) > 0 && unicode.IsLower(rest[0]) && !isPlural                   // "IPAddress" becomes "ipAddress"
		if !unicode.IsUpper(r) || isNext {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}
