package v1alpha1

import (
	"encoding/json"
	"testing"

	v1 "github.com/mrgen-io/provider-versions/apis/v1"
)

// BenchmarkConvert converts an object of each sort of field to the version that is stored and
// back. To compare, it is also encoded and decoded, as the webhook does with each object before
// and after it is converted.
func BenchmarkConvert(b *testing.B) {
	filler := newFiller()
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
