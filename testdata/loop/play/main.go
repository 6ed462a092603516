package play

import (
	"fmt"
	"os"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

// Main plays the histories of kinds, or one of them, and says what is wrong with the first that something
// is wrong with. The CRDs are in files.
func Main(crds []string, builders []*scheme.Builder, all []Kind, history uint64, histories int) {
	if err := playAll(crds, builders, all, history, histories); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func playAll(files []string, builders []*scheme.Builder, all []Kind, history uint64, histories int) error {
	s := runtime.NewScheme()
	for _, builder := range builders {
		if err := builder.AddToScheme(s); err != nil {
			return err
		}
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
