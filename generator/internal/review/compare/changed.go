package compare

import (
	"context"
	"iter"
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// fieldName matches a name in the fieldPath of a rule.
var fieldName = regexp.MustCompile(`\.([^.\[]+)|\['([^']+)'\]`)

// subject returns the field that a rule about updates is about: the one that its author names, or
// what all that it reads of the old object is in.
func subject(path schema.Path, new *props, rule apiextensionsv1.ValidationRule) schema.Path {
	var names []string
	for _, match := range fieldName.FindAllStringSubmatch(rule.FieldPath, -1) {
		names = append(names, match[1]+match[2])
	}
	if parsed, ok := cel.Parse(rule.Rule); ok && len(names) == 0 {
		isFirst := true
		for _, chain := range parsed.Chains() {
			if read := chain.Names; chain.Root == "oldSelf" && isFirst {
				names, isFirst = read, false
			} else if chain.Root == "oldSelf" {
				names = names[:common(names, read)]
			}
		}
	}
	if schema.At(new, schema.Properties(names...)) == nil {
		return path
	}
	return slices.Concat(path, schema.Properties(names...))
}

// common returns how many names two lists begin with alike.
func common(a, b []string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

const (
	// maxChanges bounds the updates that are tried for a rule about them, and maxStatesOf the
	// states of a field before and after.
	maxChanges  = 120
	maxStatesOf = 6
)

// changed looks for an update that the old definition accepts, and a rule about updates refuses.
func (s *search) changed(ctx context.Context, d *difference) (proof, bool) {
	l, ok := newLeaf(d)
	if !ok {
		return proof{}, false
	}
	n := 0
	for was, is := range changes(ctx, d) {
		if n++; n > maxChanges || ctx.Err() != nil {
			break
		}
		if !l.refusesChange(ctx, was, is, s.ratchets) {
			continue
		}
		for object := range s.with(ctx, d.path, was, false) {
			update := runtime.DeepCopyJSON(object)
			if fields, ok := is.(map[string]any); ok && len(d.path) == 0 {
				update = s.identify(runtime.DeepCopyJSON(fields))
			} else if !put(ctx, s.old.schema, update, d.path, is, false) {
				continue
			}
			if e, ok := s.refusedChange(ctx, object, update, d); ok {
				return proof{found: true, object: object, effect: e}, true
			}
		}
	}
	return proof{}, false
}

// refusedChange returns why an update is refused that the old definition accepts, if a rule of a
// difference is it.
func (s *search) refusedChange(ctx context.Context, object, update map[string]any, d *difference) (effect, bool) {
	if !s.spend() || !s.accepts(ctx, update) {
		return effect{}, false
	}
	was, _ := s.old.validator.Read(object)
	is, _ := s.old.validator.Read(update)
	if len(s.old.validator.UpdateRefusals(ctx, is, was, s.ratchets)) > 0 {
		return effect{}, false
	}
	stored, _ := s.new.validator.Read(was)
	next, _ := s.new.validator.Read(update)
	for _, r := range s.new.validator.UpdateRefusals(ctx, next, stored, s.ratchets) {
		e := refused(Manifest, isFixed, r)
		if e.update = update; s.causes(d, e) {
			return e, true
		}
	}
	return effect{}, false
}

// refusesChange reports whether a value may not take the place of another one any more.
func (l leaf) refusesChange(ctx context.Context, was, is any, ratchets bool) bool {
	if l.new == nil || !l.accepts(ctx, was) || !l.accepts(ctx, is) {
		return false
	}
	read := func(v *apiserver.ObjectValidator, value any) map[string]any {
		object, _ := v.Read(map[string]any{inLeaf: value})
		return object
	}
	return len(l.old.UpdateRefusals(ctx, read(l.old, is), read(l.old, was), ratchets)) == 0 &&
		len(l.new.UpdateRefusals(ctx, read(l.new, is), read(l.new, was), ratchets)) > 0
}

// changes yields values for the place of a difference, and what takes their place: what the rules
// read of the old object changes first.
func changes(ctx context.Context, d *difference) iter.Seq2[any, any] {
	return func(yield func(was, is any) bool) {
		var readings []reading
		for _, rule := range d.rules() {
			parsed, ok := cel.Parse(rule.Rule)
			if !ok {
				return
			}
			chains := parsed.Chains()
			slices.SortStableFunc(chains, func(a, b cel.Chain) int { return strings.Compare(a.Root, b.Root) }) // oldSelf is first
			for _, chain := range chains {
				at := follow(d.old, chain.Names)
				if at.Schema == nil || len(at.Path) == 0 || reads(readings, at.Path) {
					continue
				}
				r := reading{path: at.Path, schema: at.Schema}
				for _, value := range stateValues(ctx, at, parsed.Literals()) {
					if value != nil {
						r.states = append(r.states, candidate{value: value})
					}
				}
				r.states = append(r.states[:min(len(r.states), maxStatesOf)], candidate{remove: true})
				readings = append(readings, r)
			}
		}
		if typeName(d.old) == "object" {
			for _, base := range []map[string]any{valueOf(ctx, sampling(nil), d.old), valueOf(ctx, everything(), d.old)} {
				for i := range readings {
					if !eachChange(ctx, d.old, base, readings[i:i+1], yield) {
						return
					}
				}
			}
		}
		all := values(ctx, d.old, d.new)
		for _, was := range all[:min(len(all), maxStatesOf)] {
			for _, is := range all[:min(len(all), maxStatesOf)] {
				if !yield(was, is) {
					return
				}
			}
		}
	}
}

// eachChange yields an object with a field in one state, and with it in another one. It reports
// false at the end.
func eachChange(ctx context.Context, s *props, base map[string]any, field []reading, yield func(was, is any) bool) bool {
	for i, from := range field[0].states {
		for j, to := range field[0].states {
			was, isFrom := inState(ctx, s, base, field, []candidate{from})
			is, isTo := inState(ctx, s, base, field, []candidate{to})
			if i != j && isFrom && isTo && !yield(was, is) {
				return false
			}
		}
	}
	return true
}
