package v1alpha1

import (
	"encoding/json"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/randfill"

	v1 "github.com/mrgen-io/provider-versions/apis/v1"
)

// BenchmarkConvert converts an object of each sort of field to the version that is stored and
// back. To compare, it is also encoded and decoded, as the webhook does with each object before
// and after it is converted.
func BenchmarkConvert(b *testing.B) {
	filler := randfill.NewWithSeed(1).NilChance(0.3).NumElements(0, 3).MaxDepth(30).Funcs(
		func(v *metav1.ObjectMeta, c randfill.Continue) { c.Fill(&v.Name) },
		func(v *runtime.RawExtension, _ randfill.Continue) { v.Raw = []byte(`{"a":{"b":1}}`) },
		func(v *apiextensionsv1.JSON, _ randfill.Continue) { v.Raw = []byte(`{"a":{"b":1}}`) },
		func(v *resource.Quantity, c randfill.Continue) {
			*v = *resource.NewQuantity(c.Int63(), resource.DecimalSI)
		},
	)
	var objects []*Database
	for range 50 {
		var random Database
		filler.Fill(&random)
		content, err := json.Marshal(&random)
		if err != nil {
			b.Fatal(err)
		}
		var object Database
		if err := json.Unmarshal(content, &object); err != nil {
			b.Fatal(err)
		}
		objects = append(objects, &object)
	}
	each := func(b *testing.B, do func(*Database) error) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if err := do(objects[i%len(objects)]); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("to and from", func(b *testing.B) {
		each(b, func(src *Database) error {
			var hub v1.Database
			if err := src.ConvertTo(&hub); err != nil {
				return err
			}
			return new(Database).ConvertFrom(&hub)
		})
	})
	b.Run("JSON", func(b *testing.B) {
		each(b, func(src *Database) error {
			for range 2 {
				content, err := json.Marshal(src)
				if err != nil {
					return err
				}
				if err := json.Unmarshal(content, new(Database)); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
