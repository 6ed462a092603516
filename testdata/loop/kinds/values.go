package kinds

import "fmt"

// Value returns a random value of the field, as JSON has it.
func (r Random) Value(f *Field) any {
	switch f.Shape {
	case Number:
		return int64(r.IntN(4))
	case Bool:
		return r.OneIn(2)
	case Quantity:
		return Pick(r, "1Gi", "10G", "500m", "2") // as Go writes them
	case List, Set:
		items := []any{}
		for _, i := range r.Perm(4)[:1+r.IntN(3)] {
			items = append(items, fmt.Sprintf("item%d", i))
		}
		return items
	case Map:
		entries := map[string]any{}
		for _, i := range r.Perm(4)[:1+r.IntN(3)] {
			entries[fmt.Sprintf("key%d", i)] = Pick(r, "a", "b", "c")
		}
		return entries
	case Items, Keyed:
		items := []any{}
		for _, i := range r.Perm(3)[:1+r.IntN(2)] {
			items = append(items, r.item(f, i))
		}
		return items
	case Structs:
		entries := map[string]any{}
		for _, i := range r.Perm(3)[:1+r.IntN(2)] {
			entries[fmt.Sprintf("key%d", i)] = r.item(f, i)
		}
		return entries
	case Struct:
		return r.Struct(f.Fields)
	}
	if f.Reference || f.Bounded {
		return Pick(r, "a", "b", "c", "Mixed") // resolvers remove an empty value from spec, and enums have none
	}
	return Pick(r, "a", "b", "c", "Mixed", "")
}

// item returns a random item or entry, which is not empty: nothing tells empty items apart.
func (r Random) item(f *Field, i int) map[string]any {
	item := r.Struct(f.Fields)
	several := 1 + min(1, max(0, len(f.Fields)-3)) // keys
	for _, inner := range f.Fields {
		switch {
		case inner.Key && inner.JSON == "zone":
			item[inner.JSON] = fmt.Sprintf("zone%d", i%2)
		case inner.Key:
			item[inner.JSON] = fmt.Sprintf("key%d", i/several)
		case inner.Shape == Number:
			item[inner.JSON] = int64(i + 1)
		}
	}
	return item
}

// Struct returns random values of some of the fields of a struct, and of all that are required.
func (r Random) Struct(fields []*Field) map[string]any {
	object := map[string]any{}
	for _, f := range fields {
		if f.Required || r.OneIn(2) {
			object[f.JSON] = r.Value(f)
		}
	}
	return object
}
