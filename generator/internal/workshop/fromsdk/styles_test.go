package fromsdk

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// plain are the methods of an SDK that no style needs.
const (
	plainTypes = `
// Thing is an object.
type Thing struct{ ID, Name string }
// NewThing creates one.
type NewThing struct{ Name string }
// Client is a client.
type Client struct{}
`
	plainGet    = "func (*Client) GetThing(ctx context.Context, id string) (*Thing, error) { return nil, nil }\n"
	plainCreate = "func (*Client) CreateThing(ctx context.Context, body NewThing) (*Thing, error) { return nil, nil }\n"
	plainDelete = "func (*Client) DeleteThing(ctx context.Context, id string) error { return nil }\n"
)

// linkedPage has a list whose pages lead to the next one.
const linkedPage = plainCreate + plainDelete + `
type Links struct{ Next string }
type Page struct{ Items []Thing; Links *Links }
func (*Client) ListThings(ctx context.Context) (*Page, error) { return nil, nil }
`

// find is how a page of objects is read in lists.
const find = `if err != nil { return nil, err } for i := range PAGE { if object := &PAGE[i]; object.ID == id { return object, nil } }`

// TestStyles checks which methods stand for calls of each style: what they take, call and return.
func TestStyles(t *testing.T) {
	inPage := func(page string) string { return strings.ReplaceAll(find, "PAGE", page) }
	rows := map[string]struct{ source, method, want string }{
		"builders that end in Execute": {`
type ApiCreateThingRequest struct{}
func (r ApiCreateThingRequest) Force(force bool) ApiCreateThingRequest { return r }
func (r ApiCreateThingRequest) Body(newThing NewThing) ApiCreateThingRequest { return r }
func (r ApiCreateThingRequest) Execute() (*Thing, *http.Response, error) { return nil, nil, nil }
func (*Client) CreateThing(ctx context.Context, group string) ApiCreateThingRequest { return ApiCreateThingRequest{} }
func (*Client) CreateThingExecute(r ApiCreateThingRequest) (*Thing, *http.Response, error) { return nil, nil, nil }
type ApiGetThingRequest struct{}
func (r ApiGetThingRequest) Execute() (*Thing, *http.Response, error) { return nil, nil, nil }
func (*Client) GetThing(ctx context.Context, group, id string) ApiGetThingRequest { return ApiGetThingRequest{} }
func (*Client) GetThingExecute(r ApiGetThingRequest) (*Thing, *http.Response, error) { return nil, nil, nil }
type ApiDeleteThingRequest struct{}
type Answer struct{ *http.Response }
func (r ApiDeleteThingRequest) Execute() (*Answer, error) { return nil, nil }
func (*Client) DeleteThing(ctx context.Context, group, id string) ApiDeleteThingRequest { return ApiDeleteThingRequest{} }
`, "", `GetThing(ctx context.Context, group string, id string) (*row.Thing, *http.Response, error) {
	result0, answer, err := s.client.GetThing(ctx, group, id).Execute()
	if answer != nil && answer.StatusCode == http.StatusNotFound { err = errMissing }
	return result0, answer, err
}
CreateThing(ctx context.Context, group string, newThing row.NewThing) (*row.Thing, *http.Response, error) {
	return s.client.CreateThing(ctx, group).Body(newThing).Execute()
}
DeleteThing(ctx context.Context, group string, id string) (*row.Answer, error) {
	answer, err := s.client.DeleteThing(ctx, group, id).Execute()
	if answer != nil && answer.Response != nil && answer.StatusCode == http.StatusNotFound { err = errMissing }
	return answer, err
}`},
		"builders that end in Do": {plainCreate + plainDelete + `
type Call struct{}
func (c *Call) Fields(f ...string) *Call { return c }
func (c *Call) Until(ctx context.Context) (*Call, error) { return c, nil }
func (c *Call) Other(ctx context.Context) *Client { return nil }
func (c *Call) Both(ctx context.Context, n int) *Call { return c }
func (c *Call) within(ctx context.Context) *Call { return c }
func (c *Call) Context(ctx context.Context) *Call { return c }
func (c *Call) Do(opts ...string) (*Thing, error) { return nil, nil }
func (*Client) GetThing(id string) *Call { return nil }
`, "", `GetThing(ctx context.Context, id string) (*row.Thing, error) { return s.client.GetThing(id).Context(ctx).Do() }
CreateThing(ctx context.Context, body row.NewThing) (*row.Thing, error) { return s.client.CreateThing(ctx, body) }
DeleteThing(ctx context.Context, id string) error { return s.client.DeleteThing(ctx, id) }`},
		"an ending that takes more": {plainGet + plainCreate + plainDelete + `
type Other struct{}
func (Other) Do(to string) (*Thing, error) { return nil, nil }
func (*Client) FindThing(id string) Other { return Other{} }
`, "", ``},
		"pollers and operations": {plainGet + `
type Poller[T any] struct{}
func (*Poller[T]) PollUntilDone(ctx context.Context, options *int) (T, error) { var t T; return t, nil }
type CreateThingResponse struct{ Thing }
func (*Client) BeginCreateThing(ctx context.Context, body NewThing, opts ...string) (*Poller[CreateThingResponse], error) { return nil, nil }
type Operation struct{}
func (Operation) Wait(ctx context.Context, opts ...string) error { return nil }
func (*Client) DeleteThing(ctx context.Context, id string) (Operation, error) { return Operation{}, nil }
`, "", `GetThing(ctx context.Context, id string) (*row.Thing, error) { return s.client.GetThing(ctx, id) }
BeginCreateThing(ctx context.Context, body row.NewThing) (row.CreateThingResponse, error) {
	done, err := s.client.BeginCreateThing(ctx, body)
	if err != nil { return row.CreateThingResponse{}, err }
	return done.PollUntilDone(ctx, nil)
}
DeleteThing(ctx context.Context, id string) error {
	done, err := s.client.DeleteThing(ctx, id)
	if err != nil { return err }
	return done.Wait(ctx)
}`},
		"pages with a token": {plainCreate + plainDelete + `
type Page struct{ Name string; Items []Thing; NextMarker *string }
type Options struct{ Marker *string; Limit int }
func (*Client) ListThings(ctx context.Context, group string, o *Options) (*Page, error) { return nil, nil }
`, "", `ListThings(ctx context.Context, group string, id string) (*row.Thing, error) {
	o := &row.Options{}
	for {
		page, err := s.client.ListThings(ctx, group, o) ` + inPage("page.Items") + `
		next := ptr.Deref(page.NextMarker, "")
		if next == "" { return nil, nil }
		o.Marker = ptr.To(next)
	}
}`},
		"pages with a number in an answer": {plainCreate + plainDelete + `
type Answer struct{ NextPage int }
type Options struct{ Page int }
func (*Client) ListThings(ctx context.Context, o Options) ([]Thing, *Answer, error) { return nil, nil, nil }
`, "", `ListThings(ctx context.Context, id string) (*row.Thing, error) {
	o := row.Options{}
	for {
		page, answer, err := s.client.ListThings(ctx, o) ` + inPage("page") + `
		next := answer.NextPage
		if next == 0 { return nil, nil }
		o.Page = next
	}
}`},
		"pages that are counted": {plainCreate + plainDelete + `
type Call struct{}
func (c *Call) Page(page int64) *Call { return c }
func (c *Call) Do(ctx context.Context) ([]*Thing, error) { return nil, nil }
func (*Client) ListThings() *Call { return nil }
`, "", `ListThings takes page, and nothing that it returns is named so: name another method with --method`},
		"one page": {plainCreate + plainDelete + `
type Other struct{ Next string }
type Pager[T any] struct{}
func (*Pager[T]) Next() bool { return false }
func (*Pager[T]) Current() (t T) { return t }
func (*Client) NewOthersPager() *Pager[Other] { return nil }
type Users struct{}
func (*Users) Current(ctx context.Context) (*Thing, error) { return nil, nil }
func (*Client) Users() *Users { return nil }
func (*Client) ListThings(ctx context.Context) ([]Thing, error) { return nil, nil }
`, "", `ListThings(ctx context.Context, id string) (*row.Thing, error) {
	page, err := s.client.ListThings(ctx) ` + inPage("page") + `
	return nil, nil
}`},
		"one page beside a pager of pages": {plainCreate + plainDelete + `
type Page struct{ Value []*Thing }
type Pager[T any] struct{}
func (*Pager[T]) More() bool { return false }
func (*Pager[T]) NextPage(ctx context.Context) (T, error) { var t T; return t, nil }
func (*Client) NewListPager() *Pager[Page] { return nil }
func (*Client) ListThings(ctx context.Context, prefix string) ([]Thing, error) { return nil, nil }
`, "", `ListThings reads one page, and NewListPager may lead to others: name it with --method if one page has all, or write its controller by hand`},
		"one page beside a pager of objects": {plainCreate + plainDelete + `
type AutoPager[T any] struct{}
func (*AutoPager[T]) Next() bool { return false }
func (*AutoPager[T]) Current() (t T) { return t }
func (*AutoPager[T]) Err() error { return nil }
type Params struct{ Order string }
func (*Client) ListThings(ctx context.Context, p Params) ([]Thing, error) { return nil, nil }
func (*Client) ListThingsAutoPaging(ctx context.Context) *AutoPager[Thing] { return nil }
`, "", `ListThings reads one page, and ListThingsAutoPaging may lead to others: name it`},
		"one page beside an iterator": {plainCreate + plainDelete + `
func (*Client) AllThings(ctx context.Context) iter.Seq2[*Thing, error] { return nil }
func (*Client) ListThings(ctx context.Context) ([]Thing, error) { return nil, nil }
`, "", `ListThings reads one page, and AllThings may lead to others: name it`},
		"a page that reads the next": {plainCreate + plainDelete + `
type Page struct{ Items []Thing }
func (*Page) GetNextPage() (*Page, error) { return nil, nil }
func (*Client) ListThings(ctx context.Context) (*Page, error) { return nil, nil }
`, "", `ListThings reads one page, and ListThings may lead to others: name it`},
		"a page with a link to the next": {linkedPage, "", `ListThings reads one page, and Links.Next may lead to others: name it`},
		"such a page of a given method": {linkedPage, "ListThings", `ListThings(ctx context.Context, id string) (*row.Thing, error) {
	page, err := s.client.ListThings(ctx) ` + inPage("page.Items") + `
	return nil, nil
}`},
		"pages that nothing turns": {plainCreate + plainDelete + `
type Options struct{ After string }
func (*Client) ListThings(ctx context.Context, o Options) ([]Thing, error) { return nil, nil }
`, "", `ListThings takes after, and nothing that it returns is named so: name another method with --method`},
		"methods of one name": {plainGet + plainDelete + plainCreate + `
type Other struct{}
func (*Other) CreateThing(ctx context.Context, body NewThing) error { return nil }
`, "", `Client.CreateThing and Other.CreateThing each take NewThing: say which with --method`},
		"a method with its type": {plainGet + plainDelete + plainCreate + `
type Other struct{}
func (*Other) CreateThing(ctx context.Context, body NewThing) error { return nil }
`, "Client.CreateThing", ``},
		"methods of two types": {plainGet + plainDelete + `
type Call struct{}
func (c *Call) Do(ctx context.Context) (*Thing, error) { return nil, nil }
type Maker struct{}
func (*Maker) CreateThing(body NewThing) *Call { return nil }
`, "", `no type of example.org/things/row has all of CreateThing, DeleteThing, GetThing: name methods of one type with --method, or write its controller by hand`},
	}
	files := map[string][]byte{"go.mod": []byte("module example.org/things\n\ngo 1.25\n")}
	dirs := map[string]string{}
	all := "// Package all has all rows.\npackage all\n"
	for name, tc := range rows {
		dirs[name] = fmt.Sprint("example.org/things/row", len(dirs))
		all += "\nimport _ \"" + dirs[name] + "\"\n"
		source := "// Package row is an SDK.\npackage row\n\nimport \"context\"\n"
		for name, importPath := range map[string]string{"http.": "net/http", "iter.": "iter"} {
			if strings.Contains(tc.source, name) {
				source += "import \"" + importPath + "\"\n"
			}
		}
		files[strings.TrimPrefix(dirs[name], "example.org/things/")+"/row.go"] = []byte(source + plainTypes + tc.source)
	}
	files["all/all.go"] = []byte(all)
	dir := t.TempDir()
	testmodule.WriteTree(t, dir, files)
	pkg, err := load.Types(context.Background(), dir, "example.org/things/all")
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range rows {
		t.Run(name, func(t *testing.T) {
			o := options("Thing", "row", "Thing", "NewThing", "")
			o.Package = "example.org/things/row"
			if tc.method != "" {
				o.Methods = []string{tc.method}
			}
			k, diags := read(pkg.Imports[dirs[name]], o)
			got := ""
			switch {
			case len(diags) > 0:
				got = diags[0].Message
			case k.Service != nil:
				got = strings.ReplaceAll(strings.Join(k.Service.Methods, "\n"), "func (s *service) ", "")
			}
			if want := oneLine(tc.want); !strings.HasPrefix(oneLine(got), want) || want == "" && got != "" {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
