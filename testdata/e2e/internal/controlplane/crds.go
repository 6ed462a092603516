package controlplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// InstallCRDs creates the CRDs in files, and returns when clients find all of them.
func (c *ControlPlane) InstallCRDs(files ...string) error {
	if len(files) == 0 { // the callers' patterns match nothing
		return errors.New("no definitions")
	}
	scheme := runtime.NewScheme()
	if err := apiextensionsv1.AddToScheme(scheme); err != nil {
		return err
	}
	kube, err := client.New(c.config, client.Options{Scheme: scheme})
	if err != nil {
		return err
	}
	resources, err := discovery.NewDiscoveryClientForConfig(c.config)
	if err != nil {
		return err
	}
	var names []string
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict(content, crd); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := kube.Create(c.Context(), crd); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		names = append(names, crd.Name)
	}
	for _, name := range names {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := wait.PollUntilContextTimeout(c.Context(), 50*time.Millisecond, startTimeout, true, func(ctx context.Context) (bool, error) {
			err := kube.Get(ctx, client.ObjectKey{Name: name}, crd)
			return Established(crd), err
		}); err != nil {
			return fmt.Errorf("%s is not established: %w: %+v", name, err, crd.Status.Conditions)
		}
		if err := wait.PollUntilContextTimeout(c.Context(), 50*time.Millisecond, startTimeout, true, func(context.Context) (bool, error) {
			return isDiscovered(resources, crd), nil
		}); err != nil {
			return fmt.Errorf("%s is established, and not among the resources of the API server: %w", name, err)
		}
	}
	return nil
}

// isDiscovered reports whether clients that look for the kind find all served versions of it,
// which takes a moment after it is established.
func isDiscovered(resources *discovery.DiscoveryClient, crd *apiextensionsv1.CustomResourceDefinition) bool {
	for _, version := range crd.Spec.Versions {
		list, err := resources.ServerResourcesForGroupVersion(crd.Spec.Group + "/" + version.Name)
		isThere := err == nil && slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Kind == crd.Spec.Names.Kind })
		if version.Served && !isThere {
			return false
		}
	}
	return true
}

// Established says whether the API server serves the kind that a CRD defines.
func Established(crd *apiextensionsv1.CustomResourceDefinition) bool {
	for _, condition := range crd.Status.Conditions {
		if condition.Type == apiextensionsv1.Established {
			return condition.Status == apiextensionsv1.ConditionTrue
		}
	}
	return false
}
