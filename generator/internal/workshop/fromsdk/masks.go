package fromsdk

import (
	"cmp"
	"go/types"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// A Mask is the field mask of an update: the names of the fields by those of the parameters, as Go has them.
type Mask struct {
	Names []string
}

// masked returns the names of the fields that differ.
const masked = "masked(e.differences, immutable)"

// setMask has an update name the fields that differ, where it has a mask. Others stay as they are.
func (r *reader) setMask() {
	if r.mask == nil {
		return
	}
	r.kind.Mask = &Mask{}
	for _, f := range r.kind.Parameters {
		if s := counterpart(r.sources(r.update), f.from); s != nil && r.isMasked(r.update, s) && !f.isMarked(markers.Immutable) && !f.isMarked(markers.Identifier) {
			_, name, _ := strings.Cut(s.tag.Get("protobuf"), "name=")
			name, _, _ = strings.Cut(name, ",")
			r.kind.Mask.Names = append(r.kind.Mask.Names, strconv.Quote(f.json)+": "+strconv.Quote(cmp.Or(name, s.tagged())))
		}
	}
	if !r.mask.isArgument {
		r.kind.Update.Sets = append(r.kind.Update.Sets, request+"."+r.mask.way()+" = "+r.literal(r.mask.v.Type(), "Paths: "+masked))
	}
}

// isMask reports whether a parameter has the names of the fields to change.
func isMask(v *types.Var) bool {
	return gotypes.PlainName(v.Name()) == "updatemask" && gotypes.IsString(v.Type())
}
