package compile

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// An abridger leaves out of deep copies what repeats other code in the same file, so that it
// compiles if that does. That is most of the code that is generated, since most fields are of a few
// types.
//
// The code that copies what a field refers to begins by declaring in and out as pointers to the
// field, and reads nothing else of the function. So whether it compiles depends on its text, on what
// the names in it mean in the file, and on the type of the field. Nor does the code of DeepCopy depend
// on more of a type than its DeepCopyInto, right above.
//
// It knows code as the deepcopy stage writes it, and leaves other code as it is. If a package doesn't
// compile, all of it is checked, so that errors are the same.
type abridger struct {
	structs map[string]structType
	// kept has the code that was kept, with the type that it copies.
	kept map[string]bool
}

// A structType is the declaration of a struct.
type structType struct {
	fields *ast.FieldList
	// file is a number of the file, since a name may mean another package in another file.
	file int
}

// newAbridger returns an abridger for one file of a package, given the others.
func newAbridger(files []*ast.File) *abridger {
	a := &abridger{structs: map[string]structType{}, kept: map[string]bool{}}
	for i, file := range files {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range group.Specs {
				t, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				if s, ok := t.Type.(*ast.StructType); ok && t.TypeParams == nil {
					a.structs[t.Name.Name] = structType{s.Fields, i}
				}
			}
		}
	}
	return a
}

// abridge returns source with blanks in place of what repeats other code in it. Line breaks stay, and
// so do all positions.
func (a *abridger) abridge(source []byte) []byte {
	next := afterPackageClause(source)
	// Without raw strings and general comments, no line begins within a literal or a comment.
	if bytes.Contains(source[next:], []byte("`")) || bytes.Contains(source[next:], []byte("/*")) {
		return source
	}
	short := bytes.Clone(source)
	var name string
	var of map[string]string
	for next < len(source) {
		start := next
		var line []byte
		line, next = lineAt(source, start)
		if bytes.HasPrefix(line, []byte("func ")) {
			if name != "" && string(line) == "func (in *"+name+") DeepCopy() *"+name+" {" {
				a.abridgeDeepCopy(source[next:], short[next:], name)
			}
			name = copiedType(line)
			of = a.typesOfFields(name)
			continue
		}
		field := copiedField(line)
		if of[field] == "" {
			continue
		}
		declaration, begin := lineAt(source, next)
		end := endOfBlock(source, begin)
		if string(declaration) != "\t\tin, out := &in."+field+", &out."+field || end < 0 {
			continue
		}
		next = end
		if a.repeats(of[field] + "\n" + string(source[begin:end])) {
			blank(short[start:end])
		}
	}
	return short
}

// repeats reports whether code was kept already, and keeps it if not.
func (a *abridger) repeats(code string) bool {
	known := a.kept[code]
	a.kept[code] = true
	return known
}

// abridgeDeepCopy leaves out the body of a DeepCopy, but for a statement that returns.
func (a *abridger) abridgeDeepCopy(source, short []byte, name string) {
	// Other names may be those of the variables, or of what Go predeclares.
	body := "\tif in == nil {\n\t\treturn nil\n\t}\n\tout := new(" + name + ")\n\tin.DeepCopyInto(out)\n\treturn out\n}\n"
	if token.IsExported(name) && bytes.HasPrefix(source, []byte(body)) && a.repeats("DeepCopy") {
		blank(short[:len(body)-len("return out\n}\n")])
		copy(short[len(body)-len("out\n}\n"):], "nil")
	}
}

// hasCopies reports whether a file has code that an abridger knows.
func hasCopies(source []byte) bool { return bytes.Contains(source, []byte("\n\t\tin, out := &in.")) }

// afterPackageClause returns the offset of what follows the package clause.
func afterPackageClause(source []byte) int {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.PackageClauseOnly)
	if err != nil {
		return len(source)
	}
	return int(file.Name.End() - file.FileStart)
}

// lineAt returns the line at an offset, and the offset of the next one.
func lineAt(source []byte, at int) (line []byte, next int) {
	line, _, _ = bytes.Cut(source[at:], []byte("\n"))
	return line, min(at+len(line)+1, len(source))
}

// copiedType returns the name of the struct whose DeepCopyInto begins with a line, or "".
func copiedType(line []byte) string {
	name, rest, _ := bytes.Cut(bytes.TrimPrefix(line, []byte("func (in *")), []byte(") "))
	if string(rest) != "DeepCopyInto(out *"+string(name)+") {" {
		return ""
	}
	return string(name)
}

// copiedField returns the name of the field whose copy begins with a line, or "".
func copiedField(line []byte) string {
	name, isIf := bytes.CutPrefix(line, []byte("\tif in."))
	name, isSet := bytes.CutSuffix(name, []byte(" != nil {"))
	if !isIf || !isSet {
		return ""
	}
	return string(name)
}

// endOfBlock returns the offset after the line that ends a block in a function, or -1 if something
// else follows it in that line.
func endOfBlock(source []byte, at int) int {
	for at < len(source) {
		line, next := lineAt(source, at)
		if string(line) == "\t}" {
			return next
		}
		if !bytes.HasPrefix(line, []byte("\t\t")) {
			return -1
		}
		at = next
	}
	return -1
}

// blank overwrites source with blanks, but for line breaks.
func blank(source []byte) {
	for i, c := range source {
		if c != '\n' {
			source[i] = ' '
		}
	}
}

// typesOfFields returns the types of the fields of a struct, by their names, as far as they are known.
func (a *abridger) typesOfFields(name string) map[string]string {
	s, ok := a.structs[name]
	if !ok {
		return nil
	}
	fields := map[string]string{}
	for _, field := range s.fields.List {
		if text, known := s.text(nil, field.Type); known {
			for _, name := range gosyntax.FieldNames(field) {
				fields[name.Name] = string(text)
			}
		}
	}
	return fields
}

// text appends the text of a type, with the number of the file after names that may mean something else
// in another file. It reports false for types that are not known.
func (s structType) text(text []byte, t ast.Expr) ([]byte, bool) {
	switch t := t.(type) {
	case *ast.Ident:
		text = append(text, t.Name...)
		if types.Universe.Lookup(t.Name) == nil {
			text = strconv.AppendInt(append(text, '@'), int64(s.file), 10) // a dot import may declare it
		}
		return text, true
	case *ast.SelectorExpr:
		text, known := s.text(text, t.X)
		return append(append(text, '.'), t.Sel.Name...), known
	case *ast.StarExpr:
		return s.text(append(text, '*'), t.X)
	case *ast.ArrayType:
		if t.Len != nil {
			return nil, false
		}
		return s.text(append(text, "[]"...), t.Elt)
	case *ast.MapType:
		text, known := s.text(append(text, "map["...), t.Key)
		if !known {
			return nil, false
		}
		return s.text(append(text, ']'), t.Value)
	default:
		return nil, false
	}
}
