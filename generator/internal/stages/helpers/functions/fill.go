package functions

// DeepCopy returns a copy of a value that shares no memory with it.
func DeepCopy[T any, P interface {
	*T
	DeepCopyInto(*T)
}](value T) T {
	var out T
	P(&value).DeepCopyInto(&out)
	return out
}

// ConvertSlice converts the items of a list.
func ConvertSlice[D, O any](observed []O, convert func(O) D) []D {
	items := make([]D, len(observed))
	for i, item := range observed {
		items[i] = convert(item)
	}
	return items
}

// ConvertMap converts the entries of a map.
func ConvertMap[K, L ~string, D, O any](observed map[L]O, convert func(O) D) map[K]D {
	entries := make(map[K]D, len(observed))
	for key, entry := range observed {
		entries[K(key)] = convert(entry)
	}
	return entries
}

// AddMissing adds entries whose keys a map lacks.
func AddMissing[M ~map[K]D, K, L ~string, D, O any](entries *M, others map[L]O, convert func(O) D) {
	if *entries == nil && others != nil {
		*entries = make(M, len(others))
	}
	for key, other := range others {
		if _, set := (*entries)[K(key)]; !set {
			(*entries)[K(key)] = convert(other)
		}
	}
}

// TryConvertSlice converts the items of a list, unless one can't be converted.
func TryConvertSlice[D, O any](observed []O, convert func(O) (D, bool)) ([]D, bool) {
	items := make([]D, len(observed))
	for i, item := range observed {
		var ok bool
		if items[i], ok = convert(item); !ok {
			return nil, false
		}
	}
	return items, true
}

// TryConvertMap converts the entries of a map, unless one can't be converted.
func TryConvertMap[K, L ~string, D, O any](observed map[L]O, convert func(O) (D, bool)) (map[K]D, bool) {
	entries := make(map[K]D, len(observed))
	for key, entry := range observed {
		converted, ok := convert(entry)
		if !ok {
			return nil, false
		}
		entries[K(key)] = converted
	}
	return entries, true
}

// Itself returns a value as it is.
func Itself[T any](value T) T { return value }
