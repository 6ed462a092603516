package play

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mrgen-io/loop/kinds"
	"github.com/mrgen-io/mrgen/testdata/simulated"
)

// differences returns the paths of what is desired and not shown, by the markers of fields.
func differences(fields []*kinds.Field, desired, shown simulated.Document, prefix, inherited string) []string {
	var paths []string
	for _, f := range fields {
		path, diff := prefix+f.JSON, compared(f, inherited)
		want, got := desired[f.JSON], shown[f.JSON]
		if f.Shape == kinds.Struct {
			wanted, _ := want.(simulated.Document)
			given, _ := got.(simulated.Document)
			paths = append(paths, differences(f.Fields, wanted, given, path+".", diff)...)
			continue
		}
		if diff != kinds.Off && isSet(f, want) && !matches(f, want, got, diff) {
			paths = append(paths, path)
		}
	}
	return paths
}

// isSet reports whether a field has an opinion. Go drops empty lists and maps unless a field has
// omitzero.
func isSet(f *kinds.Field, value any) bool {
	switch value := value.(type) {
	case []any:
		return len(value) > 0 || f.OmitZero
	case simulated.Document:
		return len(value) > 0 || f.OmitZero
	}
	return value != nil
}

// matches reports whether what is shown is what is desired.
func matches(f *kinds.Field, desired, shown any, diff string) bool {
	switch f.Shape {
	case kinds.Quantity:
		want, err := resource.ParseQuantity(fmt.Sprint(desired))
		got, shownErr := resource.ParseQuantity(fmt.Sprint(shown))
		return err == nil && shownErr == nil && want.Cmp(got) == 0
	case kinds.Map, kinds.Structs:
		want, _ := desired.(simulated.Document)
		got, _ := shown.(simulated.Document)
		for key, value := range want {
			if got[key] == nil || !sameItem(f, value, got[key]) {
				return false
			}
		}
		return diff == kinds.Subset || len(got) == len(want)
	case kinds.List, kinds.Set, kinds.Items, kinds.Keyed:
		want, _ := desired.([]any)
		got, _ := shown.([]any)
		return matchesItems(f, want, got, diff)
	}
	// An API may leave out what is empty.
	return simulated.Equal(desired, shown) || shown == nil && reflect.ValueOf(desired).IsZero()
}

// sameItem reports whether an item or entry is what is desired.
func sameItem(f *kinds.Field, desired, shown any) bool {
	if f.Fields == nil {
		return desired == shown
	}
	return len(differences(f.Fields, desired.(simulated.Document), shown.(simulated.Document), "", kinds.Exact)) == 0
}

func matchesItems(f *kinds.Field, desired, shown []any, diff string) bool {
	same := func(want, got any) bool { return sameItem(f, want, got) }
	if len(shown) < len(desired) || len(shown) > len(desired) && diff != kinds.Subset {
		return false
	}
	if diff == kinds.Exact && f.Shape != kinds.Set && f.Shape != kinds.Keyed {
		return slices.EqualFunc(desired, shown, same)
	}
	rest := slices.Clone(shown)
	for _, want := range desired {
		i := slices.IndexFunc(rest, func(got any) bool { return same(want, got) })
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}

// keys returns the keys of a map in order.
func keys(m simulated.Document) []string { return slices.Sorted(maps.Keys(m)) }
