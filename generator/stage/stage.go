// Package stage says what a stage of another program is, and what it sees: plain data.
package stage

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// A Stage makes output of its own in a run, from the model that mrgen's stages work on. Like an
// Analyzer of golang.org/x/tools/go/analysis, it is data with a function.
//
// Stages don't see each other's output. What they write is compared with the disk, pruned and
// applied as all else, and Go code is checked to compile with its package.
type Stage struct {
	// Name in lower case, which no other stage has.
	Name string
	// Doc says in one sentence what the stage writes.
	Doc string
	// Version identifies what the functions make of a model. It must change with all else that the output
	// depends on: the code, settings, other files. A run is only remembered in [Options.CacheDir] if
	// all of its stages have a version.
	Version string
	// GoFiles are the names of the Go files that the stage writes into API packages, each of which
	// begins with zz_generated. No run reads them.
	GoFiles []string
	// Folder is the one for the documents of the stage, relative to the module root. It may be empty
	// if there are none.
	Folder string
	// Definitions is set if the stage needs [Kind.Definition]. It then doesn't run if a definition is
	// wrong.
	Definitions bool
	// Run returns what the stage makes of an API group without looking at others: Go files, and documents whose
	// [File.From] has packages of one group. It is called for some groups at a time, and not for those that are
	// as the last run left them. All packages of a group are in one model, and so are packages that they import.
	// The order of the calls may be any, and no two are made at a time. The model must not be changed. Mistakes
	// of the user are diagnostics; an error is a bug in the stage, or a cancelled context.
	Run func(ctx context.Context, model *Model) (Output, error)
	// Finish returns documents that the stage makes of all groups together, once nothing is wrong with any. The
	// model has all packages that the options select, which takes more memory, and an edit of one has all
	// of them loaded. One of Run and Finish may be nil.
	Finish func(ctx context.Context, model *Model) (Output, error)
}

// A Output is what a [Stage] has made.
type Output struct {
	// Files are written if no diagnostic of the run is an error.
	Files []File
	// Diagnostics may be in any order.
	Diagnostics diag.List
}

// A File is a file without the first lines, which say that it is generated.
type File struct {
	// Path is slash-separated and relative to the module root: that of one of [Stage.GoFiles] in the
	// folder of a package of the model, or that of a .yaml or .md file directly in [Stage.Folder].
	Path string
	// Content of a Go file begins with the package clause, and need not be formatted.
	Content []byte
	// From are the packages that a document is made from, by folder, and all if [Stage.Finish] leaves it
	// empty. It is stale once they are gone.
	From []string
}
