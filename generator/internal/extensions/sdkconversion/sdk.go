// Package sdkconversion writes conversions between the types of kinds and the types of an SDK. An interface in a client's
// package declares them, with a method for each.
//
// It knows types only: SDK packages are type-checked from their syntax, without function bodies, and only as
// far as the interfaces need.
package sdkconversion

import (
	"context"
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/bodies"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/markers"
)

const codeSDK diag.Code = "sdk"

// FileName is the name of the file with the conversions of a package.
const FileName = "zz_generated.convert.go"

// Options say how to write conversions.
type Options struct {
	// Header is the text at the top of files. It may be empty.
	Header string
	// IsAPI reports whether a package declares kinds.
	IsAPI func(importPath string) bool
}

// A Result is the output of a run.
type Result struct {
	// Files are by their path relative to the module root.
	Files map[string][]byte
	// Mappings say which fields go where, in the order of the interfaces.
	Mappings []Mapping
	// Structs are the SDK's structs that the methods convert.
	Structs []Struct
}

// A Struct is an SDK's struct that a method converts.
type Struct struct {
	// Method is the name of the method, Name the name of the struct with its package, and Sent is set for
	// requests.
	Method, Name string
	Sent         bool
	// Fields are the names of its fields, and Left the ones without a counterpart in any kind.
	Fields, Left []string
}

// A Mapping is a field of a kind that a method converts.
type Mapping struct {
	// Method is the name of the method, and Pos the place of the field.
	Method string
	Pos    diag.Position
	// Kind and SDK are the fields, with the names of their types: HookParameters.PushEvents. SDK is the name of
	// a parameter if that fills the field.
	Kind, SDK string
	// Sent is set if the value goes to the SDK.
	Sent bool
}

// Declares reports whether source may declare conversions.
func Declares(source []byte) bool { return strings.Contains(string(source), "+"+markers.Convert) }

// Convert writes the conversions that packages declare, by their folders. The program must include the run's
// other output. A field that can't be converted is an error at the field.
func Convert(ctx context.Context, program *load.Program, dirs []string, o Options) (Result, diag.List, error) {
	asked := map[string][]string{}
	for _, dir := range dirs {
		asked[dir] = filesOf(program, dir)
	}
	// Types would be missing, and every conversion would report that.
	if diags := program.WrittenErrors(); len(diags) > 0 {
		return Result{}, diags, nil
	}
	problems, packages, err := bodies.Check(ctx, program, asked, false)
	if err != nil {
		return Result{}, nil, err
	}
	result := Result{Files: map[string][]byte{}}
	var diags, ofCopies diag.List
	for _, p := range packages {
		w := &writer{options: o, program: program, checked: p}
		w.read(problems)
		if len(w.interfaces) == 0 && len(w.diags) == 0 {
			continue
		}
		w.plan()
		if w.diags.HasErrors() {
			// A copy for the other scope has the errors of its source.
			if path.Dir(program.Files.Position(p.Files[0].Package).File) == p.Dir {
				diags = append(diags, w.diags...)
			} else {
				ofCopies = append(ofCopies, w.diags...)
			}
			continue
		}
		content, err := w.render()
		if err != nil {
			return Result{}, nil, err
		}
		result.Files[path.Join(p.Dir, FileName)] = content
		diags = append(diags, w.diags...)
		result.Mappings = append(result.Mappings, w.mappings...)
		result.Structs = append(result.Structs, w.coverage()...)
	}
	if !diags.HasErrors() { // a copy repeats them
		diags = append(diags, ofCopies...)
	}
	return result, diags, nil
}

// filesOf returns the files of a package that declare conversions, or functions that may be used by them. The
// other files may hold a whole controller, which takes long to type-check.
func filesOf(program *load.Program, dir string) []string {
	var found, others []string
	var text strings.Builder
	for _, name := range program.Built(dir, false) {
		content, err := program.Read(program.Scope.Abs(name))
		switch {
		case err != nil || path.Base(name) == FileName: // generated: it is about to be replaced
		case Declares(content):
			found = append(found, name)
			text.Write(content)
		default:
			others = append(others, name)
		}
	}
	declaring := text.String()
	for _, name := range others {
		file, err := program.ParseFile(name, false)
		if err == nil && slices.ContainsFunc(file.Decls, func(decl ast.Decl) bool {
			f, ok := decl.(*ast.FuncDecl)
			return ok && f.Recv == nil && strings.Contains(declaring, f.Name.Name+"(")
		}) {
			found = append(found, name)
		}
	}
	return found
}

// A writer writes the conversions of a package.
type writer struct {
	options Options
	program *load.Program
	checked bodies.Checked

	// pkg has the names in the package, and counted are the markers that count.
	pkg        *gosrc.Package
	counted    map[*ast.Comment]bool
	interfaces []*declaration
	// functions are those of methods and between structs, and byHand the author's.
	functions, byHand []*function
	// fields are the fields of structs, by struct, and lines those of files.
	fields   map[string][]*field
	lines    map[string][]string
	mappings []Mapping
	diags    diag.List
}

func (w *writer) errorf(pos diag.Position, format string, args ...any) {
	d := diag.Errorf(pos, codeSDK, format, args...)
	// Several methods convert the same field.
	if !slices.Contains(w.diags, d) {
		w.diags = append(w.diags, d)
	}
}

// written returns the methods of all interfaces, except hand-written ones.
func (w *writer) written() []*function {
	return slices.DeleteFunc(slices.Clone(w.functions), func(f *function) bool { return f.method != f || f.byHand != nil })
}

// coverage returns the SDK's structs that methods convert.
func (w *writer) coverage() []Struct {
	var all []Struct
	for _, m := range w.written() {
		for _, t := range m.types(false) {
			s := Struct{Method: m.name, Name: typeLabel(t), Sent: m.sends}
			for _, f := range w.structFields(t, m.within) {
				s.Fields = append(s.Fields, f.name)
				if !slices.ContainsFunc(m.steps, func(step *step) bool {
					return step.sdk != nil && strings.HasPrefix(step.sdk.way()+".", f.way()+".")
				}) {
					s.Left = append(s.Left, f.name)
				}
			}
			all = append(all, s)
		}
	}
	return all
}

func typeLabel(t types.Type) string { return types.TypeString(gotypes.Deref(t), gotypes.ByName) }
