package life

import (
	"context"
	"errors"
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
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// A Cluster keeps objects in memory. The API server's code judges those of custom resources.
type Cluster struct {
	// Terminating are the namespaces in which nothing can be created.
	Terminating map[string]bool

	scheme    *runtime.Scheme
	admitters map[schema.GroupVersionKind]*admitter
	objects   map[objectKey]map[string]any
	version   int
	refused   []string
}

// An objectKey names an object.
type objectKey struct {
	schema.GroupKind
	client.ObjectKey
}

// NewCluster returns a cluster with definitions and without objects.
func NewCluster(scheme *runtime.Scheme, crds ...*apiextensionsv1.CustomResourceDefinition) (*Cluster, error) {
	c := &Cluster{scheme: scheme, admitters: map[schema.GroupVersionKind]*admitter{}}
	for _, crd := range crds {
		for _, v := range crd.Spec.Versions {
			kind := schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}
			a, err := newAdmitter(kind, v)
			if err != nil {
				return nil, err
			}
			c.admitters[kind.WithVersion(v.Name)] = a
		}
	}
	return c.Empty(), nil
}

// Empty returns a cluster with the same definitions and without objects.
func (c *Cluster) Empty() *Cluster {
	return &Cluster{Terminating: map[string]bool{}, scheme: c.scheme, admitters: c.admitters, objects: map[objectKey]map[string]any{}}
}

// Refused returns what was not admitted, apart from conflicts.
func (c *Cluster) Refused() []string { return c.refused }

// Stored returns an object as it is stored, nil if there is none. It may be changed, as by a server with another clock.
func (c *Cluster) Stored(kind schema.GroupKind, key client.ObjectKey) *unstructured.Unstructured {
	if o := c.objects[objectKey{kind, key}]; o != nil {
		return &unstructured.Unstructured{Object: o}
	}
	return nil
}

// Kind returns the stored objects whose kind ends with a text.
func (c *Cluster) Kind(ending string) (all []*unstructured.Unstructured) {
	for _, key := range c.keys() {
		if strings.HasSuffix(key.Kind, ending) {
			all = append(all, &unstructured.Unstructured{Object: c.objects[key]})
		}
	}
	return all
}

func (c *Cluster) keys() []objectKey {
	return slices.SortedFunc(maps.Keys(c.objects), func(a, b objectKey) int { return strings.Compare(a.ObjectKey.String(), b.ObjectKey.String()) })
}

// Drop removes objects at once, as a garbage collector does.
func (c *Cluster) Drop(isDropped func(*unstructured.Unstructured) bool) {
	maps.DeleteFunc(c.objects, func(_ objectKey, o map[string]any) bool { return isDropped(&unstructured.Unstructured{Object: o}) })
}

// Client returns a client for a field manager. It calls before for each request, whose error is the answer. Before may be nil.
func (c *Cluster) Client(manager string, before func(verb string, object runtime.Object) error) client.Client {
	if before == nil {
		before = func(string, runtime.Object) error { return nil }
	}
	return &clusterClient{cluster: c, manager: manager, before: before}
}

// A clusterClient is a client of a cluster. The methods that it lacks panic.
type clusterClient struct {
	client.Client
	cluster *Cluster
	manager string
	before  func(verb string, object runtime.Object) error
}

// A request is about an object of a cluster.
type request struct {
	admitter *admitter
	key      objectKey
	resource schema.GroupResource
	// object is what the request has, and stored what there is.
	object, stored map[string]any
}

func (c *Cluster) request(object client.Object) (request, error) {
	gvk, err := apiutil.GVKForObject(object, c.scheme)
	if err != nil {
		return request{}, err
	}
	r := request{
		admitter: c.admitters[gvk],
		key:      objectKey{gvk.GroupKind(), client.ObjectKeyFromObject(object)},
		resource: schema.GroupResource{Group: gvk.Group, Resource: gvk.Kind},
	}
	if r.admitter == nil && strings.Contains(gvk.Group, ".") && !strings.HasSuffix(gvk.Group, ".k8s.io") {
		return r, fmt.Errorf("no definition of %s: add its file to those of the kind", gvk)
	}
	r.object = document(object)
	r.object["apiVersion"], r.object["kind"] = gvk.ToAPIVersionAndKind()
	r.stored = c.objects[r.key]
	return r, nil
}

// finish stores an admitted object, and reads it into the object of the request.
func (c *Cluster) finish(verb string, r request, object client.Object, admitted map[string]any, err error) error {
	if err != nil {
		c.refused = append(c.refused, verb+": "+err.Error())
		return err
	}
	u := &unstructured.Unstructured{Object: admitted}
	if !reflect.DeepEqual(r.stored, admitted) {
		c.version++
		u.SetResourceVersion(strconv.Itoa(c.version))
	}
	c.objects[r.key] = admitted
	if u.GetDeletionTimestamp() != nil && len(u.GetFinalizers()) == 0 {
		delete(c.objects, r.key)
	}
	return read(admitted, object)
}

// read reads an object into one of a type of its own.
func read(from map[string]any, object client.Object) error {
	content, err := json.Marshal(from)
	if err != nil {
		return err
	}
	reflect.ValueOf(object).Elem().SetZero()
	return json.Unmarshal(content, object)
}

// Get implements client.Client.
func (c *clusterClient) Get(_ context.Context, key client.ObjectKey, object client.Object, _ ...client.GetOption) error {
	object.SetName(key.Name)
	object.SetNamespace(key.Namespace)
	if err := c.before("get", object); err != nil {
		return err
	}
	r, err := c.cluster.request(object)
	if err != nil {
		return err
	}
	if r.stored == nil {
		return kerrors.NewNotFound(r.resource, key.Name)
	}
	return read(r.stored, object)
}

// List implements client.Client, without field selectors.
func (c *clusterClient) List(_ context.Context, list client.ObjectList, options ...client.ListOption) error {
	if err := c.before("list", list); err != nil {
		return err
	}
	gvk, err := apiutil.GVKForObject(list, c.cluster.scheme)
	if err != nil {
		return err
	}
	kind := schema.GroupKind{Group: gvk.Group, Kind: strings.TrimSuffix(gvk.Kind, "List")}
	of := client.ListOptions{}
	of.ApplyOptions(options)
	items := []any{}
	for _, key := range c.cluster.keys() {
		u := &unstructured.Unstructured{Object: c.cluster.objects[key]}
		isIn := of.Namespace == "" || of.Namespace == u.GetNamespace()
		isSelected := of.LabelSelector == nil || of.LabelSelector.Matches(labels.Set(u.GetLabels()))
		if key.GroupKind == kind && isIn && isSelected {
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
func (c *clusterClient) Create(ctx context.Context, object client.Object, _ ...client.CreateOption) error {
	if err := c.before("create", object); err != nil {
		return err
	}
	r, err := c.cluster.request(object)
	switch {
	case err != nil:
		return err
	case c.cluster.Terminating[object.GetNamespace()]:
		return kerrors.NewForbidden(r.resource, object.GetName(),
			fmt.Errorf("unable to create new content in namespace %s because it is being terminated", object.GetNamespace()))
	case r.stored != nil:
		return kerrors.NewAlreadyExists(r.resource, object.GetName())
	}
	if err := r.own(c.manager, false); err != nil {
		return err
	}
	admitted, err := r.admitter.create(ctx, r.object)
	return c.cluster.finish("create", r, object, admitted, err)
}

// Update implements client.Client.
func (c *clusterClient) Update(ctx context.Context, object client.Object, _ ...client.UpdateOption) error {
	return c.write(ctx, "update", object, nil, c.manager, (*admitter).update)
}

// Patch implements client.Client, for merge patches and server-side apply.
func (c *clusterClient) Patch(ctx context.Context, object client.Object, patch client.Patch, options ...client.PatchOption) error {
	of := client.PatchOptions{FieldManager: c.manager}
	of.ApplyOptions(options)
	return c.write(ctx, "patch", object, patch, of.FieldManager, (*admitter).update)
}

// An admission admits an object in place of the stored one.
type admission func(a *admitter, ctx context.Context, object, stored map[string]any) (map[string]any, error)

var errChanged = errors.New("the object has been modified; please apply your changes to the latest version and try again")

// write changes an object by a patch, or to another one without a patch.
func (c *clusterClient) write(ctx context.Context, verb string, object client.Object, patch client.Patch, manager string, admit admission) error {
	if err := c.before(verb, object); err != nil {
		return err
	}
	r, err := c.cluster.request(object)
	if err != nil {
		return err
	}
	applies := patch != nil && patch.Type() == types.ApplyPatchType
	if r.stored == nil && !applies {
		return kerrors.NewNotFound(r.resource, object.GetName())
	}
	if patch != nil {
		if r.object, err = patched(r.stored, object, patch); err != nil {
			return err
		}
	}
	if v := versionOf(r.object); v != "" && v != versionOf(r.stored) {
		return kerrors.NewConflict(r.resource, object.GetName(), errChanged)
	}
	if reflect.DeepEqual(r.object, r.stored) {
		return read(r.stored, object) // it was admitted before
	}
	if err := r.own(manager, applies); err != nil {
		return err
	}
	var admitted map[string]any
	if r.stored == nil {
		admitted, err = r.admitter.create(ctx, r.object)
	} else {
		admitted, err = admit(r.admitter, ctx, r.object, r.stored)
	}
	return c.cluster.finish(verb, r, object, admitted, err)
}

// patched returns an object after a merge patch, or the fields that server-side apply is given.
func patched(stored map[string]any, object client.Object, patch client.Patch) (changed map[string]any, err error) {
	content, err := patch.Data(object)
	switch {
	case err != nil:
		return nil, err
	case patch.Type() == types.MergePatchType:
		if content, err = jsonpatch.MergePatch([]byte(text(stored)), content); err != nil {
			return nil, err
		}
	case patch.Type() != types.ApplyPatchType:
		return nil, fmt.Errorf("the life's cluster takes merge patches and server-side apply, not %s", patch.Type())
	}
	return changed, json.Unmarshal(content, &changed)
}

func versionOf(object map[string]any) string {
	return (&unstructured.Unstructured{Object: object}).GetResourceVersion()
}

// Delete implements client.Client.
func (c *clusterClient) Delete(_ context.Context, object client.Object, _ ...client.DeleteOption) error {
	if err := c.before("delete", object); err != nil {
		return err
	}
	r, err := c.cluster.request(object)
	if err != nil {
		return err
	}
	if r.stored == nil {
		return kerrors.NewNotFound(r.resource, object.GetName())
	}
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(r.stored)}
	if u.GetDeletionTimestamp() == nil {
		now := metav1.Now()
		u.SetDeletionTimestamp(&now)
		u.SetGeneration(u.GetGeneration() + 1)
	}
	return c.cluster.finish("delete", r, object, u.Object, nil)
}

// Scheme implements client.Client.
func (c *clusterClient) Scheme() *runtime.Scheme { return c.cluster.scheme }

// GroupVersionKindFor implements client.Client.
func (c *clusterClient) GroupVersionKindFor(object runtime.Object) (schema.GroupVersionKind, error) {
	return apiutil.GVKForObject(object, c.cluster.scheme)
}

// Status implements client.Client.
func (c *clusterClient) Status() client.SubResourceWriter { return statusClient{of: c} }

// A statusClient writes the statuses of objects. The methods that it lacks panic.
type statusClient struct {
	client.SubResourceWriter
	of *clusterClient
}

// Update implements client.SubResourceWriter.
func (c statusClient) Update(ctx context.Context, object client.Object, _ ...client.SubResourceUpdateOption) error {
	return c.of.write(ctx, "update the status of", object, nil, c.of.manager, (*admitter).updateStatus)
}

// Patch implements client.SubResourceWriter.
func (c statusClient) Patch(ctx context.Context, object client.Object, patch client.Patch, options ...client.SubResourcePatchOption) error {
	of := client.SubResourcePatchOptions{PatchOptions: client.PatchOptions{FieldManager: c.of.manager}}
	of.ApplyOptions(options)
	return c.of.write(ctx, "update the status of", object, patch, of.FieldManager, (*admitter).updateStatus)
}

// own notes that a manager owns the fields that a request changes. If it applies them, it does by force, and what it has applied
// before is removed.
func (r *request) own(manager string, applies bool) error {
	if r.admitter == nil && !applies {
		return nil // nobody applies Kubernetes' own kinds
	}
	object := &unstructured.Unstructured{Object: r.object}
	kind := object.GroupVersionKind()
	live := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(r.stored)}
	if r.stored == nil {
		live.Object = map[string]any{}
		live.SetGroupVersionKind(kind)
	}
	fields, err := managedfields.NewDefaultCRDFieldManager(managedfields.NewDeducedTypeConverter(), untyped{},
		unstructuredscheme.NewUnstructuredDefaulter(), unstructuredscheme.NewUnstructuredCreator(), kind, kind.GroupVersion(), "", nil)
	if err != nil {
		return err
	}
	var owned runtime.Object
	if applies {
		owned, err = fields.Apply(live, object, manager, true)
	} else {
		owned, err = fields.Update(live, object, manager)
	}
	if err == nil {
		r.object = owned.(*unstructured.Unstructured).Object
	}
	return err
}

// untyped converts objects that have one version.
type untyped struct{}

func (untyped) Convert(any, any, any) error { return nil }

func (untyped) ConvertToVersion(in runtime.Object, _ runtime.GroupVersioner) (runtime.Object, error) {
	return in, nil
}

func (untyped) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}
