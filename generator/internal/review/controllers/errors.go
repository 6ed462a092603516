package controllers

import (
	"go/constant"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// parsing are the functions that turn text into values, and say in an error that it is none.
var parsing = map[string]bool{
	"strconv.Atoi": true, "strconv.ParseBool": true, "strconv.ParseFloat": true, "strconv.ParseInt": true, "strconv.ParseUint": true,
	"time.Parse": true, "time.ParseDuration": true, "time.ParseInLocation": true, "encoding/json.Unmarshal": true, "(*encoding/json.Decoder).Decode": true,
	"encoding/hex.DecodeString": true, "(*encoding/base64.Encoding).DecodeString": true, "sigs.k8s.io/yaml.Unmarshal": true, "gopkg.in/yaml.v3.Unmarshal": true,
	"gopkg.in/yaml.v2.Unmarshal": true, "go.yaml.in/yaml/v3.Unmarshal": true, "net/url.Parse": true, "net/netip.ParseAddr": true, "net/netip.ParsePrefix": true,
	"net.ParseCIDR": true, "k8s.io/apimachinery/pkg/api/resource.ParseQuantity": true, "github.com/google/uuid.Parse": true, "math/big.ParseFloat": true,
}

// dropped calls visit with the calls whose error nobody looks at, in functions of controllers: of functions
// that parse, and of those of the module that are called so.
func (a *analysis) dropped(visit func(at place, name string)) {
	all := a.changing()
	for _, c := range a.controllers {
		maps.Copy(all, c.observing)
	}
	a.eachCall(all, func(call ssa.CallInstruction) {
		common := call.Common()
		results := common.Signature().Results()
		if results.Len() == 0 || !gotypes.IsError(results.At(results.Len()-1).Type()) || looksAt(call, results.Len()) || isSure(common) || a.program.isMeant(call.Pos()) {
			return
		}
		name := nameOf(common)
		if parsing[name] && (len(common.Args) == 0 || !a.isTried(common.Args[0], name, 0)) {
			visit(place{fn: call.Parent(), pos: call.Pos()}, name[strings.LastIndex(name, "/")+1:])
			return
		}
		found, others := a.callees.of(common)
		if len(found) == 1 && !others && strings.HasPrefix(strings.ToLower(found[0].Name()), "parse") && results.Len() > 1 {
			visit(place{fn: call.Parent(), pos: call.Pos()}, found[0].Name())
		}
	})
}

// isTried reports whether code asks a function that parses a text, too, whether it can be parsed, there or
// wherever it comes from.
func (a *analysis) isTried(text ssa.Value, parser string, depth int) bool {
	if c, ok := text.(*ssa.Convert); ok { // of a string to bytes
		text = c.X
	}
	if text.Referrers() == nil || depth > 3 {
		return false
	}
	for _, r := range *text.Referrers() {
		if c, ok := r.(*ssa.Call); ok && isBool(c.Type()) {
			found, _ := a.callees.of(c.Common())
			if slices.ContainsFunc(found, func(fn *ssa.Function) bool {
				return calls(fn, func(name string) bool { return name == parser })
			}) {
				return true
			}
		}
	}
	from := a.passed[text]
	return len(from) > 0 && !slices.ContainsFunc(from, func(p passing) bool { return !a.isTried(p.argument, parser, depth+1) })
}

// looksAt reports whether code uses the error of a call.
func looksAt(call ssa.CallInstruction, results int) bool {
	v, ok := call.(*ssa.Call)
	if !ok {
		return true // deferred: where would it go?
	}
	if results == 1 {
		return len(*v.Referrers()) > 0
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Extract:
			if r.Index == results-1 && len(*r.Referrers()) > 0 || isTested(r) {
				return true
			}
		case *ssa.DebugRef:
		default:
			return true // handed on as a whole
		}
	}
	return false
}

// isTested reports whether code asks whether there is a result.
func isTested(result *ssa.Extract) bool {
	return slices.ContainsFunc(*result.Referrers(), func(r ssa.Instruction) bool {
		c, ok := r.(*ssa.BinOp)
		return ok && asksForNil(c)
	})
}

// isSure reports whether a call can't fail, or has nothing to parse if it does: its arguments are constants,
// what was formatted just before, entries of a map, which are empty if they are missing, or digits.
func isSure(common *ssa.CallCommon) bool {
	for _, a := range common.Args {
		switch a := a.(type) {
		case *ssa.Const:
		case *ssa.Call:
			if nameOf(a.Common()) != "(time.Time).Format" {
				return false
			}
		case *ssa.Lookup:
			if a.CommaOk {
				return false
			}
		case *ssa.Slice:
			if !countsDigits(a.Parent()) {
				return false
			}
		default:
			return isRoundTrip(common)
		}
	}
	return true
}

// countsDigits reports whether a function compares with the first and the last digit, as one does that cuts
// a number out of a text.
func countsDigits(fn *ssa.Function) bool {
	found := map[rune]bool{}
	for in := range instructions(fn) {
		if c, ok := in.(*ssa.BinOp); ok {
			if digit, ok := c.Y.(*ssa.Const); ok && digit.Value != nil && digit.Value.Kind() == constant.Int {
				found[rune(digit.Int64())] = true
			}
		}
	}
	return found['0'] && found['9']
}

// isRoundTrip reports whether a call makes a map of JSON that the same function makes of a value.
func isRoundTrip(common *ssa.CallCommon) bool {
	if nameOf(common) != "encoding/json.Unmarshal" {
		return false
	}
	text, ok := common.Args[0].(*ssa.Extract)
	if !ok {
		return false
	}
	made, ok := text.Tuple.(*ssa.Call)
	if !ok || nameOf(made.Common()) != "encoding/json.Marshal" {
		return false
	}
	into, ok := common.Args[1].(*ssa.MakeInterface)
	if !ok {
		return false
	}
	p, ok := into.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	m, ok := p.Elem().Underlying().(*types.Map)
	return ok && types.IsInterface(m.Elem())
}
