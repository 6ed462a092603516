package play

import (
	"fmt"
	"os"
	"path/filepath"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/scheme"

	"github.com/mrgen-io/loop/kinds"
)

// Main plays the histories of random kinds, or one of them, and says what is wrong with the first that
// something is wrong with.
func Main(crds string, random []*kinds.Kind, builder *scheme.Builder, types map[string]Type, history uint64, histories int) {
	if err := playRandom(crds, random, builder, types, history, histories); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func playRandom(folder string, random []*kinds.Kind, builder *scheme.Builder, types map[string]Type, history uint64, histories int) error {
	s := runtime.NewScheme()
	if err := builder.AddToScheme(s); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return err
	}
	var crds []*apiextensionsv1.CustomResourceDefinition
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		crd, err := ReadCRD(content)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		crds = append(crds, crd)
	}
	var all []Kind
	for _, k := range random {
		all = append(all, Kind{Kind: k, GroupVersion: builder.GroupVersion, Type: types[k.Name]})
	}
	stage, err := NewStage(s, crds, all...)
	if err != nil {
		return err
	}
	if history != 0 {
		return stage.Play(history)
	}
	for seed := range histories {
		if err := stage.Play(uint64(seed + 1)); err != nil {
			return fmt.Errorf("history %d: %w", seed+1, err)
		}
	}
	return nil
}
