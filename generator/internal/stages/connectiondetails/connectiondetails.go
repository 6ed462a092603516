// Package connectiondetails emits Go types by which controllers publish exactly the documented connection
// details.
package connectiondetails

import (
	"context"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

const (
	file                 = "zz_generated.connectiondetails.go"
	codeGoName diag.Code = "go-name"
)

// Stage writes constants for the keys, a struct with a field per key, and a method that converts it to
// crossplane-runtime's type, for each version of a managed kind with connection details. It runs after the
// definitions are made: types for controllers are not part of schemas or deep copies.
var Stage = stage.Stage{
	Name:             "connectiondetails",
	Doc:              "Writes constants and a struct for the connection details of managed kinds.",
	GoFiles:          []stage.GoFile{{Name: file}},
	ReadsDefinitions: true,
	Run:              run,
}

func run(_ context.Context, pass *stage.Pass) error {
	details := map[*model.Object][]connection.Detail{}
	for _, d := range pass.Definitions {
		for _, o := range d.Objects {
			details[o] = d.ConnectionDetails
		}
	}
	for _, p := range pass.Model.Packages {
		into := pass.GoPackage(p.Path, p.Name, p.Dir)
		w := &detailWriter{file: into.NewJennifer(pass.Options.Header, gosrc.Variables("d", "details", "name", "value"))}
		for _, o := range p.Objects {
			if len(details[o]) > 0 {
				k := newKind(o, details[o])
				checkNames(pass, into, k)
				w.kind(k)
			}
		}
		if !w.written {
			continue
		}
		content, err := w.file.Content()
		if err != nil {
			return err
		}
		if err := pass.Emit(path.Join(p.Dir, file), content); err != nil {
			return err
		}
	}
	return nil
}

// checkNames reports details with the same Go name, and names that the author has declared already.
func checkNames(pass *stage.Pass, into *gosrc.Package, k kind) {
	fields := map[string]detail{}
	for _, d := range k.details {
		switch other, taken := fields[d.field]; {
		case d.field == method:
			pass.Report(diag.Errorf(d.Pos, codeGoName,
				"the key %q has the Go name %s, which is that of a generated method: declare it by a pattern that matches the key", d.Name, d.field))
		case taken:
			pass.Report(diag.Errorf(d.Pos, codeGoName,
				"the keys %q and %q have the same Go name, %s: declare them by one pattern that matches both", other.Name, d.Name, d.field))
		}
		fields[d.field] = d
	}
	names := []string{k.structName}
	for _, d := range k.details {
		names = append(names, d.constant)
	}
	into.Claim(slices.Values(names))
	for _, name := range names {
		if at := k.object.Package.Names[name]; at.IsValid() {
			pass.Report(diag.Errorf(at, codeGoName,
				"%s is also the name of a declaration that mrgen writes for the connection details of %s: rename this one", name, k.object.Name))
		}
	}
}
