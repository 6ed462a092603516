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
			item := r.Struct(f.Fields)
			// Nothing tells empty items apart.
			for _, inner := range f.Fields {
				switch {
				case inner.Key:
					item[inner.JSON] = fmt.Sprintf("key%d", i)
				case inner.Shape == Number:
					item[inner.JSON] = int64(i + 1)
				}
			}
			items = append(items, item)
		}
		return items
	case Struct:
		return r.Struct(f.Fields)
	}
	if f.Reference {
		return Pick(r, "a", "b", "c", "Mixed") // resolvers remove an empty value from spec
	}
	return Pick(r, "a", "b", "c", "Mixed", "")
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
