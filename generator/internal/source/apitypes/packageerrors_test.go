package apitypes

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestUsersOf finds the fields through which a type of another module is part of an API: by its name, in a list, and as a type that is
// declared as it.
func TestUsersOf(t *testing.T) {
	dialer := &model.Type{Kind: model.Struct, Name: "Dialer", Package: "net", Fields: []*model.Field{{Name: "Timeout", Type: &model.Type{Kind: model.Basic, Basic: "int64"}}}}
	own := &model.Type{Kind: model.Struct, Name: "Own", Package: "example.org/p", Local: true, Of: dialer, Fields: dialer.Fields}
	text := &model.Type{Kind: model.Basic, Basic: "string"}
	fields := []*model.Field{
		{Name: "Named", Type: dialer}, {Name: "Listed", Type: &model.Type{Kind: model.Slice, Elem: dialer}}, {Name: "Declared", Type: &model.Type{Kind: model.Pointer, Elem: own}},
		{Name: "Other", Type: text},
	}
	m := &model.Model{Packages: []*model.Package{{Objects: []*model.Object{{Type: &model.Type{Kind: model.Struct, Local: true, Fields: fields}}}}}}
	users := usersOf(m, "net", "Dialer")
	expect.True(t, len(users) == 3 && users[0].Name == "Named" && users[1].Name == "Listed" && users[2].Name == "Declared", "fields with the type: %v", users)
}
