package fromsdk

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A list is how an object is found that no method returns alone: pages are read until one has it.
type list struct {
	// pages are the results of the call, with a page among them, and items lead from that to its objects.
	pages *types.Tuple
	page  int
	items string
	// item is the type of an object in a page, and key is the field that tells objects apart.
	item types.Type
	key  *source
	// options are those of the call, which become variables.
	options []*types.Var
	// itemsKey and nextKey are the fields of an answer with the objects, and with what asks for the next page, "" if one page has all.
	itemsKey, nextKey string
	nextIsNumber      bool
	// more are fields of an answer, and methods, that may lead to other pages where nothing turns them.
	more []string
}

// turns are the names of what turns pages.
var turns = []string{
	"continuationtoken", "nexttoken", "nextpagetoken", "pagetoken", "startingtoken", "token", "marker", "cursor", "after", "startingafter",
	"page", "pagenumber", "offset",
}

// sizes are the names of what says how much a page has, or where it begins: there is more than one page.
var sizes = []string{"limit", "perpage", "pagesize", "skip", "start", "startat", "startindex", "maxresults"}

// asksForPages reports whether a name is one by which requests ask for pages.
func asksForPages(name string) bool {
	return slices.Contains(turns, name) || slices.Contains(sizes, name)
}

// listed returns the method that finds an object in the pages of another one, nil if that doesn't return any.
func (r *reader) listed(of *types.Func) *method {
	if _, isList := stem(of.Name(), "list"); !isList || of.Signature().TypeParams().Len() > 0 {
		return nil
	}
	for v := range of.Signature().Params().Variables() {
		if isInteger(v.Type()) && asksForPages(gotypes.PlainName(v.Name())) {
			return nil // nothing turns pages that arguments number
		}
	}
	m := r.styled(of)
	if m == nil {
		m = r.adapted(of, nil)
	}
	l := &list{pages: m.signature.Results()}
	for i := 0; i < l.pages.Len()-1 && l.item == nil; i++ {
		l.page = i
		r.findItems(l, l.pages.At(i).Type())
	}
	if l.item == nil || !isCallable(m.signature) {
		return nil
	}
	isOptions := func(v *types.Var) bool {
		return gotypes.StructOf(v.Type()) != nil && len(r.needed(v.Type())) == 0 && !slices.ContainsFunc(r.sources(v.Type()), r.isRequired)
	}
	params := m.params()
	m.list, l.options = l, filter(params, isOptions)
	m.signature = signature(slices.DeleteFunc(params, isOptions), types.NewPointer(r.observe), failure)
	return m
}

// failure is the type of errors.
var failure = types.Universe.Lookup("error").Type()

// signature returns that of a function with parameters, and results without names.
func signature(params []*types.Var, results ...types.Type) *types.Signature {
	unnamed := each(results, func(t types.Type) *types.Var { return types.NewParam(0, nil, "", t) })
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), types.NewTuple(unnamed...), false)
}

// findItems finds the objects in a page.
func (r *reader) findItems(l *list, page types.Type) {
	isItems := func(t types.Type) bool {
		list, ok := t.Underlying().(*types.Slice)
		if ok && types.Identical(gotypes.Deref(list.Elem()), r.observe) {
			l.item = list.Elem()
			return true
		}
		return false
	}
	if isItems(page) {
		return
	}
	for _, s := range r.sources(page) {
		if l.item == nil && isItems(s.v.Type()) {
			l.items, l.itemsKey = "."+s.way(), jsonKey(s)
		}
	}
}

// findBy adds the key to what a method takes that finds an object: an ID that the API returned, or else a name.
func (r *reader) findBy(c *calls) {
	object := gotypes.PlainName(r.observe.Obj().Name())
	known := slices.Clone(r.sources(r.create))
	for v := range c.create.signature.Results().Variables() {
		known = append(known, r.sources(v.Type())...)
	}
	for _, name := range []string{"id", "uuid", object + "id", "name", object + "name", "slug", "key", "arn"} {
		s := counterpartNamed(r.sources(r.observe), name)
		isNamed := strings.HasSuffix(name, "name") && counterpartNamed(known, object) != nil // such as Bucket
		if s != nil && isKey(s.v.Type()) && (isNamed || counterpartNamed(known, name) != nil) {
			c.get.list.key = s
			params := c.get.params()
			own := camel(s.v.Name())
			if slices.ContainsFunc(params, func(v *types.Var) bool { return v.Name() == own }) { // such as the id of a project
				own = camel(r.observe.Obj().Name()) + s.v.Name()
			}
			params = append(params, types.NewParam(0, nil, own, gotypes.Deref(s.v.Type())))
			c.get.signature = signature(params, types.NewPointer(r.observe), failure)
			return
		}
	}
	r.errorf("%s lists objects, and nothing that %s takes or returns tells them apart: name another method with --method, or write its controller by hand",
		c.get.name, c.create.name)
}

// search returns the statements that read pages until one has the object.
func (r *reader) search(m *method, call string) (lines []string) {
	const missing, failed = "return nil, nil", "if err != nil {\nreturn nil, err\n}"
	l, key := m.list, m.signature.Params().At(m.signature.Params().Len()-1)
	is := r.value("object."+l.key.way(), l.key.v.Type()) + " == " + key.Name()
	one := "page" + l.items + "[i]"
	if gotypes.IsPointer(l.item) {
		is = "object != nil && " + is
	} else {
		one = "&" + one
	}
	found := "for i := range page" + l.items + " {\nif object := " + one + "; " + is + " {\nreturn object, nil\n}\n}"
	lines = each(l.options, func(v *types.Var) string { return v.Name() + " := " + r.literal(v.Type(), "") })
	if m.style.ending != nil { // the builder turns pages
		lines, call = append(lines, "call := "+call), "call"
	}
	results := slices.Repeat([]string{"_"}, l.pages.Len())
	results[l.page], results[len(results)-1] = "page", "err"
	next := r.turn(m, results)
	read := []string{strings.Join(results, ", ") + " := " + call + m.style.end, failed, found}
	if next == nil { // one page has all
		return slices.Concat(lines, read, []string{missing})
	}
	return slices.Concat(lines, []string{"for {"}, read, next, []string{"}"})
}

// value returns what an expression has, or the zero value for a pointer to nothing.
func (r *reader) value(expr string, t types.Type) string {
	if !gotypes.IsPointer(t) {
		return expr
	}
	return "ptr.Deref(" + expr + ", " + gotypes.Zero(gotypes.Deref(t), r.text) + ")"
}

// turn returns the statements after a page that lacks the object, with what an answer has for the next request, nil if one page has
// all. A request that takes something else is an error.
func (r *reader) turn(m *method, results []string) []string {
	// A knob says that there is more than one page. A statement with a value turns it, "" if none can.
	type knob struct {
		name, turn string
		typ        types.Type
	}
	var knobs []knob
	for _, v := range append(slices.Clone(m.list.options), m.params()...) {
		for _, s := range slices.Concat(r.sources(v.Type()), r.unencoded(v.Type())) {
			turn := v.Name() + "." + s.way() + " = %s"
			if throughPointer(v.Type(), s.path) {
				turn = ""
			}
			knobs = append(knobs, knob{s.names[0], turn, s.v.Type()})
		}
	}
	if m.style.built != nil {
		for _, setter := range settersOf(m.style.built) {
			knobs = append(knobs, knob{gotypes.PlainName(setter.Name()), "call = call." + setter.Name() + "(%s)",
				setter.Signature().Params().At(0).Type()})
		}
	}
	knobs = filter(knobs, func(k knob) bool { return asksForPages(k.name) })
	for _, k := range knobs {
		typ := gotypes.Deref(k.typ)
		if k.turn == "" || slices.Contains(sizes, k.name) {
			continue
		}
		for i := range len(results) - 1 {
			for _, s := range r.sources(m.list.pages.At(i).Type()) {
				if s.names[0] != k.name && s.names[0] != "next"+k.name || !types.Identical(gotypes.Deref(s.v.Type()), typ) {
					continue
				}
				m.list.nextKey, m.list.nextIsNumber = jsonKey(s), isInteger(typ)
				if results[i] == "_" {
					results[i] = "answer"
				}
				return []string{"next := " + r.value(results[i]+"."+s.way(), s.v.Type()),
					"if next == " + gotypes.Zero(typ, r.text) + " {\nreturn nil, nil\n}",
					fmt.Sprintf(k.turn, r.converted("next", types.TypeString(typ, nil), k.typ))}
			}
		}
	}
	if len(knobs) > 0 { // one page would be taken for all, and the object created again
		r.errorf("%s takes %s, and nothing that it returns is named so: name another method with --method, or write its controller by hand",
			m.name, knobs[0].name)
		return nil
	}
	for v := range m.list.pages.Variables() {
		m.list.more = append(m.list.more, r.nextIn(v.Type(), 2)...)
	}
	m.list.more = append(m.list.more, r.pagers...)
	if len(m.list.more) > 0 && !r.isGiven(m) { // a check asks about a method that the author names
		r.errorf("%s reads one page, and %s may lead to others: name it with --method if one page has all, or write its controller by hand",
			m.name, m.list.more[0])
	}
	return nil
}

// saysNext matches the names of fields that answers with several pages have, beside those of requests.
var saysNext = regexp.MustCompile(`^(has)?(next|more)|truncated$|^(total|last)?pages?$|^pagecount$|^continu`)

// nextIn returns the ways to fields that may lead to other pages, in an answer and in structs so far below it.
func (r *reader) nextIn(answer types.Type, below int) (ways []string) {
	for _, s := range r.sources(answer) {
		name := s.names[0]
		switch {
		case types.Identical(gotypes.Leaf(s.v.Type()), r.observe): // objects have such fields for themselves
		case saysNext.MatchString(name), asksForPages(name):
			ways = append(ways, s.way())
		case below > 0:
			for _, way := range r.nextIn(s.v.Type(), below-1) {
				ways = append(ways, s.way()+"."+way)
			}
		}
	}
	return ways
}

// notePager notes a method of the SDK whose result reads pages of objects by itself, as pagers and iterators do.
func (r *reader) notePager(f *types.Func) {
	l := &list{}
	for v := range f.Signature().Results().Variables() {
		if gotypes.IsDeclaredIn(v.Type(), "iter", "Seq2") {
			r.findItems(l, types.NewSlice(gotypes.NamedOf(v.Type()).TypeArgs().At(0)))
		}
		for _, name := range []string{"NextPage", "GetNextPage", "HasNextPage", "Current", "Next", "HasNext", "More", "HasMore"} {
			isAlone := name == "Current" && methodOf(v.Type(), "Next") == nil // such as the current user
			if next := methodOf(v.Type(), name); next != nil && !isAlone {
				r.findItems(l, v.Type()) // which may turn to the next page in place
				for of := range next.Signature().Results().Variables() {
					r.findItems(l, of.Type())
					r.findItems(l, types.NewSlice(of.Type()))
				}
			}
		}
	}
	if l.item != nil {
		r.pagers = append(r.pagers, f.Name())
	}
}

// throughPointer reports whether a field is in an embedded struct that a literal of the type leaves out.
func throughPointer(t types.Type, path []string) bool {
	for _, name := range path {
		field, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if field == nil || gotypes.IsPointer(field.Type()) {
			return true
		}
		t = field.Type()
	}
	return false
}
