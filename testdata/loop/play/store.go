package play

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/mrgen-io/admission"
)

// A Store has the objects that the API server's code admits. It is a client that nobody else's
// objects are in the way of.
type Store struct {
	client.Client // what it doesn't have panics

	scheme  *runtime.Scheme
	servers map[string]*admission.Server
	objects map[string]map[string]any
	version int
	// refused are what was not admitted, but for conflicts.
	refused []string
}

// NewStore returns a store for objects of the kinds that CRDs define, in the first version of each.
func NewStore(scheme *runtime.Scheme, crds ...*apiextensionsv1.CustomResourceDefinition) (*Store, error) {
	s := &Store{scheme: scheme, servers: map[string]*admission.Server{}, objects: map[string]map[string]any{}}
	for _, crd := range crds {
		server, err := admission.New(crd, crd.Spec.Versions[0].Name)
		if err != nil {
			return nil, err
		}
		s.servers[crd.Spec.Group+"/"+crd.Spec.Names.Kind] = server
	}
	return s, nil
}

// Clone returns a store for objects of the same kinds, with none.
func (s *Store) Clone() *Store {
	return &Store{scheme: s.scheme, servers: s.servers, objects: map[string]map[string]any{}}
}

// A request is about an object in the store.
type request struct {
	server   *admission.Server
	key      string
	resource schema.GroupResource
	// object is what the request has, and stored what there is.
	object, stored map[string]any
}

func (s *Store) request(object client.Object) (request, error) {
	gvk, err := apiutil.GVKForObject(object, s.scheme)
	if err != nil {
		return request{}, err
	}
	of := gvk.Group + "/" + gvk.Kind
	r := request{server: s.servers[of], key: of + "/" + client.ObjectKeyFromObject(object).String()}
	r.resource = schema.GroupResource{Group: gvk.Group, Resource: gvk.Kind}
	if r.server == nil {
		return r, fmt.Errorf("there is no definition of %s", of)
	}
	content, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(content, &r.object)
	}
	r.object["apiVersion"], r.object["kind"] = gvk.ToAPIVersionAndKind()
	r.stored = s.objects[r.key]
	return r, err
}

// finish stores an object, and reads it into that of the request.
func (s *Store) finish(what string, r request, object client.Object, admitted map[string]any, err error) error {
	if err != nil {
		for _, refusal := range admission.Refusals(err) {
			s.refused = append(s.refused, what+": "+refusal)
		}
		return err
	}
	u := &unstructured.Unstructured{Object: admitted}
	if !reflect.DeepEqual(r.stored, admitted) {
		s.version++
		u.SetResourceVersion(strconv.Itoa(s.version))
	}
	s.objects[r.key] = admitted
	if u.GetDeletionTimestamp() != nil && len(u.GetFinalizers()) == 0 {
		delete(s.objects, r.key)
	}
	return read(admitted, object)
}

// read reads an object into one with a type of its own.
func read(from map[string]any, object client.Object) error {
	content, err := json.Marshal(from)
	if err != nil {
		return err
	}
	reflect.ValueOf(object).Elem().SetZero()
	return json.Unmarshal(content, object)
}

// Get implements client.Client.
func (s *Store) Get(_ context.Context, key client.ObjectKey, object client.Object, _ ...client.GetOption) error {
	object.SetName(key.Name)
	object.SetNamespace(key.Namespace)
	r, err := s.request(object)
	if err != nil {
		return err
	}
	if r.stored == nil {
		return kerrors.NewNotFound(r.resource, key.Name)
	}
	return read(r.stored, object)
}

// List implements client.Client, for objects with labels.
func (s *Store) List(_ context.Context, list client.ObjectList, options ...client.ListOption) error {
	gvk, err := apiutil.GVKForObject(list, s.scheme)
	if err != nil {
		return err
	}
	of := client.ListOptions{}
	of.ApplyOptions(options)
	items := []any{}
	prefix := gvk.Group + "/" + strings.TrimSuffix(gvk.Kind, "List") + "/"
	for _, key := range slices.Sorted(maps.Keys(s.objects)) {
		u := &unstructured.Unstructured{Object: s.objects[key]}
		if strings.HasPrefix(key, prefix) && (of.Namespace == "" || of.Namespace == u.GetNamespace()) &&
			(of.LabelSelector == nil || of.LabelSelector.Matches(labels.Set(u.GetLabels()))) {
			items = append(items, u.Object)
		}
	}
	content, err := json.Marshal(map[string]any{"items": items})
	if err != nil {
		return err
	}
	return json.Unmarshal(content, list)
}

// Create implements client.Client.
func (s *Store) Create(ctx context.Context, object client.Object, _ ...client.CreateOption) error {
	r, err := s.request(object)
	if err != nil {
		return err
	}
	if err := s.own(&r, ownerOf(object)); err != nil {
		return err
	}
	admitted, err := r.server.Create(ctx, r.object)
	return s.finish("create", r, object, admitted, err)
}

// Update implements client.Client.
func (s *Store) Update(ctx context.Context, object client.Object, _ ...client.UpdateOption) error {
	r, err := s.update(object)
	if err != nil {
		return err
	}
	if err := s.own(&r, ownerOf(object)); err != nil {
		return err
	}
	admitted, err := r.server.Update(ctx, r.object, r.stored)
	return s.finish("update", r, object, admitted, err)
}

// update returns a request to change an object that there is.
func (s *Store) update(object client.Object) (request, error) {
	r, err := s.request(object)
	switch {
	case err != nil:
		return r, err
	case r.stored == nil:
		return r, kerrors.NewNotFound(r.resource, object.GetName())
	case object.GetResourceVersion() != versionOf(r.stored):
		return r, kerrors.NewConflict(r.resource, object.GetName(), fmt.Errorf("the object has changed"))
	}
	return r, nil
}

func versionOf(object map[string]any) string {
	return (&unstructured.Unstructured{Object: object}).GetResourceVersion()
}

// Patch implements client.Client, for merge patches and server-side apply.
func (s *Store) Patch(ctx context.Context, object client.Object, patch client.Patch, options ...client.PatchOption) error {
	r, err := s.request(object)
	if err != nil {
		return err
	}
	of := client.PatchOptions{}
	of.ApplyOptions(options)
	changes, err := patch.Data(object)
	if err != nil {
		return err
	}
	switch patch.Type() {
	case types.ApplyPatchType:
		r.object = nil
		if err := json.Unmarshal(changes, &r.object); err != nil {
			return err
		}
		if err := s.apply(&r, of.FieldManager); err != nil {
			return err
		}
	case types.MergePatchType:
		content, err := json.Marshal(r.stored)
		if err != nil {
			return err
		}
		if content, err = jsonpatch.MergePatch(content, changes); err != nil {
			return err
		}
		r.object = nil
		if err := json.Unmarshal(content, &r.object); err != nil {
			return err
		}
		if versionOf(r.object) != versionOf(r.stored) {
			return kerrors.NewConflict(r.resource, object.GetName(), fmt.Errorf("the object has changed"))
		}
		if err := s.own(&r, ownerOf(object)); err != nil {
			return err
		}
	default:
		return fmt.Errorf("the store takes no patch of type %s", patch.Type())
	}
	admitted, err := r.server.Update(ctx, r.object, r.stored)
	return s.finish("patch", r, object, admitted, err)
}

// Delete implements client.Client.
func (s *Store) Delete(_ context.Context, object client.Object, _ ...client.DeleteOption) error {
	r, err := s.request(object)
	if err != nil {
		return err
	}
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(r.stored)}
	now := metav1.Now()
	u.SetDeletionTimestamp(&now)
	return s.finish("delete", r, object, u.Object, nil)
}

// Status implements client.Client.
func (s *Store) Status() client.SubResourceWriter { return statusWriter{store: s} }

// Scheme implements client.Client.
func (s *Store) Scheme() *runtime.Scheme { return s.scheme }

// GroupVersionKindFor implements client.Client.
func (s *Store) GroupVersionKindFor(object runtime.Object) (schema.GroupVersionKind, error) {
	return apiutil.GVKForObject(object, s.scheme)
}

type statusWriter struct {
	client.SubResourceWriter
	store *Store
}

// Update implements client.SubResourceWriter.
func (w statusWriter) Update(ctx context.Context, object client.Object, _ ...client.SubResourceUpdateOption) error {
	r, err := w.store.update(object)
	if err != nil {
		return err
	}
	admitted, err := r.server.UpdateStatus(ctx, r.object, r.stored)
	return w.store.finish("update the status", r, object, admitted, err)
}
