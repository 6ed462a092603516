package fromsdk

import (
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// Names of what takes an address, or a token.
var (
	namesAddress = regexp.MustCompile(`(?i)(url|endpoint|address|addr|host|server)(str)?$`)
	namesToken   = regexp.MustCompile(`(?i)(token|key|password|secret|credentials?)$`)
)

// A construction is how the SDK makes a client.
type construction struct {
	r *reader
	// address and token are the expressions for both. A controller knows no address.
	address, token string
	// variable is the one for the client, and fails are the statements after an error.
	variable, fails string

	usesAddress, usesToken bool
	statements             []string
}

// construct returns the body of a function that makes a client of the SDK, which has the methods that are called; "" if
// the SDK has no function that takes all that is known. A controller knows credentials, and a test an address.
func (r *reader) construct(c *calls, isTest bool) string {
	switch {
	case !c.get.isFunction():
	case isTest: // which knows no credentials
		return r.serviceAt(c)
	default:
		return ""
	}
	best, length := "", 0
	for function := range exported[*types.Func](r.pkg.Types) {
		if !strings.HasPrefix(function.Name(), "New") || function.Signature().TypeParams().Len() > 0 {
			continue
		}
		made := construction{r: r, token: "strings.TrimSpace(string(credentials))", variable: "client", fails: "return nil, err"}
		if isTest {
			made.token, made.address, made.variable, made.fails = `"token"`, "address", "c", "t.Fatal(err)"
		}
		body := made.by(c, function)
		isComplete := made.usesToken
		if isTest {
			isComplete = made.usesAddress
		}
		if body != "" && isComplete && (best == "" || len(function.Name()) < length) {
			best, length = body, len(function.Name())
		}
	}
	return best
}

// by returns the body of a function that makes a client with one of the SDK's, "" if that takes more.
func (m *construction) by(c *calls, function *types.Func) string {
	results := function.Signature().Results()
	if results.Len() == 0 {
		return ""
	}
	t := results.At(0).Type()
	way, found := m.r.serving(c, t, m.variable)
	if !found {
		return ""
	}
	if c.client != nil {
		way = "&service{" + way + "}"
	}
	if arguments, ok := m.arguments(function.Signature()); !ok || !m.make(function, arguments) {
		return ""
	}
	m.set(t)
	end := ", nil"
	if m.address != "" {
		end = ""
	}
	if results.Len() == 1 && len(m.statements) == 1 && !strings.HasPrefix(way, "&") {
		return "return " + strings.TrimPrefix(m.statements[0], m.variable+" := ") + strings.TrimPrefix(way, m.variable) + end
	}
	return strings.Join(append(m.statements, "return "+way+end), "\n")
}

// take returns the expression for what takes an address or a token by its name, "" for something else.
func (m *construction) take(name string) string {
	switch {
	case namesAddress.MatchString(name) && m.address != "" && !m.usesAddress:
		m.usesAddress = true
		return m.address
	case namesToken.MatchString(name) && !m.usesToken:
		m.usesToken = true
		return m.token
	}
	return ""
}

// arguments returns what a function that makes a client is called with.
func (m *construction) arguments(s *types.Signature) (arguments []string, ok bool) {
	for _, v := range required(s) {
		t := gotypes.Deref(v.Type())
		switch {
		case isContext(t):
			arguments = append(arguments, "context.Background()")
		case gotypes.IsDeclaredIn(t, "net/http", "Client"):
			arguments = append(arguments, "&http.Client{}")
		case gotypes.IsPointer(v.Type()) && m.variable != configuration && m.configured(t):
			arguments = append(arguments, configuration)
		case !types.Identical(t, types.Typ[types.String]):
			return nil, false
		default:
			text := m.take(v.Name())
			if text == "" && !namesAddress.MatchString(v.Name()) && !m.usesToken { // the only other text is a token
				text, m.usesToken = m.token, true
			}
			if text == "" {
				return nil, false
			}
			arguments = append(arguments, text)
		}
	}
	if s.Variadic() {
		arguments = append(arguments, m.options(s.Params().At(s.Params().Len()-1).Type().(*types.Slice).Elem())...)
	}
	return arguments, true
}

// configuration is the variable with what openapi-generator's clients are made of.
const configuration = "configuration"

// configured writes statements that make a configuration of a type and set the address and the token, if the SDK has a function
// for it.
func (m *construction) configured(t types.Type) bool {
	named := gotypes.NamedOf(t)
	if named == nil || gotypes.StructOf(named) == nil {
		return false
	}
	function, ok := named.Obj().Pkg().Scope().Lookup("New" + named.Obj().Name()).(*types.Func)
	if !ok {
		return false
	}
	inner := *m
	inner.variable = configuration
	arguments, ok := inner.arguments(function.Signature())
	if !ok || !inner.make(function, arguments) {
		return false
	}
	inner.set(named)
	m.usesAddress, m.usesToken, m.statements = inner.usesAddress, inner.usesToken, inner.statements
	return true
}

// make writes the call of a function that returns a value of a type, or that and an error.
func (m *construction) make(function *types.Func, arguments []string) bool {
	results := function.Signature().Results()
	call := m.r.qualify(function.Pkg()) + "." + function.Name() + "(" + strings.Join(arguments, ", ") + ")"
	switch {
	case results.Len() == 1:
		m.statements = append(m.statements, m.variable+" := "+call)
	case results.Len() == 2 && gotypes.IsError(results.At(1).Type()):
		m.statements = append(m.statements, m.variable+", err := "+call, "if err != nil {\n"+m.fails+"\n}")
	default:
		return false
	}
	return true
}

// options returns the options of a type that say the address and the token.
func (m *construction) options(t types.Type) []string {
	of := []*types.Package{m.r.pkg.Types}
	if alias, ok := t.(*types.Alias); ok { // of an internal package
		of = append(of, alias.Obj().Pkg())
	} else if named := gotypes.NamedOf(t); named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg() != of[0] {
		of = append(of, named.Obj().Pkg())
	}
	rank := func(f *types.Func) int { // the shortest, but a token is enough, unlike a key that goes with the name of a user
		if strings.Contains(f.Name(), "Token") {
			return 0
		}
		return len(f.Name())
	}
	var all []string
	for _, names := range []*regexp.Regexp{namesAddress, namesToken} {
		var best *types.Func
		for _, p := range of {
			for function := range exported[*types.Func](p) {
				results := function.Signature().Results()
				isOption := takesText(function.Signature()) && results.Len() == 1 && types.Identical(results.At(0).Type(), t)
				if isOption && names.MatchString(function.Name()) && (best == nil || rank(function) < rank(best)) {
					best = function
				}
			}
		}
		if best == nil {
			continue
		}
		if text := m.take(best.Name()); text != "" {
			all = append(all, m.r.qualify(best.Pkg())+"."+best.Name()+"("+text+")")
		}
	}
	return all
}

// takesText reports whether a function takes a text alone.
func takesText(s *types.Signature) bool {
	return s.Params().Len() == 1 && types.Identical(s.Params().At(0).Type(), types.Typ[types.String])
}

// set sets the address and the token of a client, where the function that makes it doesn't take them.
func (m *construction) set(t types.Type) {
	named := gotypes.NamedOf(gotypes.Deref(t))
	if named == nil {
		return
	}
	methods := types.NewMethodSet(types.NewPointer(named))
	for i := range methods.Len() {
		method, _ := methods.At(i).Obj().(*types.Func)
		name, isSet := strings.CutPrefix(method.Name(), "Set")
		if !isSet || !takesText(method.Signature()) {
			continue
		}
		text := m.take(name)
		if text == "" {
			continue
		}
		call := m.variable + "." + method.Name() + "(" + text + ")"
		if isCallable(method.Signature()) {
			call = "if err := " + call + "; err != nil {\n" + m.fails + "\n}"
		}
		m.statements = append(m.statements, call)
	}
	if methodOf(types.NewPointer(named), "AddDefaultHeader") != nil && !m.usesToken {
		m.usesToken = true
		m.statements = append(m.statements, m.variable+`.AddDefaultHeader("Authorization", "Bearer "+`+m.token+")")
	}
	s := gotypes.StructOf(named)
	if m.address != "" && hasField(s, "Host") && hasField(s, "Scheme") { // even if an option has it, which may drop the port
		m.usesAddress = true
		m.statements = append(m.statements, m.variable+".Scheme, "+m.variable+`.Host, _ = strings.Cut(`+m.address+`, "://")`)
	}
	if s == nil || m.address == "" {
		return
	}
	for v := range s.Fields() {
		switch {
		case !v.Exported() || !namesAddress.MatchString(v.Name()) || m.usesAddress:
		case types.Identical(v.Type(), types.Typ[types.String]):
			m.usesAddress = true
			m.statements = append(m.statements, m.variable+"."+v.Name()+" = "+m.address)
		case pointsTo(v.Type(), "net/url", "URL"):
			m.usesAddress = true
			m.statements = append(m.statements,
				"base, err := url.Parse("+m.address+` + "/")`, "if err != nil {\n"+m.fails+"\n}", m.variable+"."+v.Name()+" = base")
		}
	}
}

func hasField(s *types.Struct, name string) bool {
	return s != nil && slices.ContainsFunc(slices.Collect(s.Fields()), func(v *types.Var) bool { return v.Name() == name })
}

// serving returns the expression for the value with all methods that are called: a client, or a field of it.
func (r *reader) serving(c *calls, t types.Type, client string) (expr string, ok bool) {
	serves := func(t types.Type) bool {
		if c.client != nil {
			return types.AssignableTo(t, c.client)
		}
		for _, m := range c.all() {
			object, _, _ := types.LookupFieldOrMethod(t, false, nil, m.name)
			f, ok := object.(*types.Func)
			if !ok || !types.Identical(f.Signature(), m.signature) {
				return false
			}
		}
		return true
	}
	is := func(expr string, t types.Type) (string, bool) {
		switch {
		case serves(t):
			return expr, true
		case serves(types.NewPointer(t)):
			return "&" + expr, true
		}
		return "", false
	}
	if expr, ok := is(client, t); ok {
		return expr, true
	}
	if s := gotypes.StructOf(t); s != nil {
		for v := range s.Fields() {
			if expr, ok := is(client+"."+v.Name(), v.Type()); ok && v.Exported() {
				return expr, true
			}
		}
	}
	return "", false
}
