package lint

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/review/controllers"
)

// Controllers are the external clients that rules looked at.
type Controllers struct {
	// Clients is how many there are, and Kinds how many kinds they handle, whose versions count once.
	Clients, Kinds int
	// Missing are the kinds for which there is none, such as "Bucket (storage)", sorted.
	Missing []string
}

// lookedAt says which kinds have controllers in the code, if any was loaded.
func lookedAt(code *controllers.Facts, definitions []pipeline.Definition) *Controllers {
	if code == nil {
		return nil
	}
	found := &Controllers{Clients: len(code.Clients)}
	for _, d := range definitions {
		if !d.Managed() {
			continue
		}
		handled := 0
		for _, o := range d.Objects {
			handled += len(code.Of(controllers.Kind{Package: o.Package.Path, Name: o.Name}))
		}
		if handled > 0 {
			found.Kinds++
			continue
		}
		group, _, _ := strings.Cut(d.CRD.Spec.Group, ".")
		found.Missing = append(found.Missing, fmt.Sprintf("%s (%s)", d.CRD.Spec.Names.Kind, group))
	}
	slices.Sort(found.Missing)
	return found
}

// String returns a sentence such as "12 controllers of 14 kinds; none was found for Bucket (storage)".
func (c Controllers) String() string {
	text := fmt.Sprintf("%s of %s", count(c.Clients, "controller"), count(c.Kinds, "kind"))
	if len(c.Missing) > 0 {
		text += "; none was found for " + strings.Join(c.Missing, ", ")
	}
	return text
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// loadControllers begins to load the code of controllers, if any is asked for. The function that it returns
// waits for that, and says what the code does with the fields of kinds.
func loadControllers(
	ctx context.Context, root string, patterns []string,
) func([]pipeline.Definition) (*controllers.Facts, diag.List, error) {
	if len(patterns) == 0 {
		return func([]pipeline.Definition) (*controllers.Facts, diag.List, error) { return nil, nil, nil }
	}
	var code *controllers.Code
	var diags diag.List
	wait := parallel.Start(func() (err error) {
		code, diags, err = controllers.Load(ctx, root, patterns)
		return err
	})
	return func(definitions []pipeline.Definition) (*controllers.Facts, diag.List, error) {
		if err := wait(); err != nil || code == nil {
			return nil, diags, err
		}
		var kinds []controllers.Kind
		for _, d := range definitions {
			if d.Managed() {
				for _, o := range d.Objects {
					kinds = append(kinds, controllers.Kind{Package: o.Package.Path, Name: o.Name})
				}
			}
		}
		return code.Facts(kinds), diags, nil
	}
}
