package fromsdk

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// Names of what takes an address, or a token.
var (
	namesAddress = regexp.MustCompile(`(?i)(ur[il]|endpoint|address|addr|host|server|base_?path)(str)?$`)
	namesToken   = regexp.MustCompile(`(?i)(token|key|password|secret|credentials?)$`)
)

// A construction is how the SDK makes a client.
type construction struct {
	r *reader
	// token is the expression for the credentials, and fails are the statements after an error.
	token, fails string
	// knowsAddress is set for tests, and wantsAddress and wantsToken until something takes these.
	knowsAddress, wantsAddress, wantsToken bool
	statements                             []string
}

// construct returns the body of a function that makes a client of the SDK, which has the methods that are called; "" if
// the SDK has no function that takes all that is known. A controller knows credentials, and a test an address.
func (r *reader) construct(c *calls, isTest bool) (best string) {
	switch {
	case !c.get.isFunction():
	case isTest: // which knows no credentials
		return r.serviceAt(c)
	default:
		return ""
	}
	var lowest []int
	for _, function := range exported[*types.Func](r.pkg.Types) {
		if !strings.HasPrefix(function.Name(), "New") || function.Signature().TypeParams().Len() > 0 {
			continue
		}
		made := construction{r: r, knowsAddress: isTest, wantsAddress: isTest, wantsToken: true}
		made.token, made.fails = "strings.TrimSpace(string(credentials))", "return nil, err"
		variable, end := "client", ", nil"
		if isTest {
			made.token, made.fails, variable, end = `"token"`, "t.Fatal(err)", "c", ""
		}
		client := made.client(c, function, variable)
		isComplete := !made.wantsAddress && (isTest || !made.wantsToken)
		rank := []int{0, 0, len(function.Name())}
		if made.wantsToken {
			rank[0] = 1
		}
		if isTest {
			rank[1] = len(made.statements) // an address that is set later may come too late
		}
		if client == "" || !isComplete || best != "" && slices.Compare(rank, lowest) >= 0 {
			continue
		}
		best, lowest = strings.Join(append(made.statements, "return "+client+end), "\n"), rank
		if only, isCall := strings.CutPrefix(made.statements[0], variable+" := "); len(made.statements) == 1 && isCall && client[0] != '&' {
			best = "return " + only + strings.TrimPrefix(client, variable) + end
		}
	}
	return best
}

// client returns the expression for a client that a function of the SDK makes, "" if it makes none.
func (m *construction) client(c *calls, function *types.Func, variable string) string {
	if function.Signature().Results().Len() == 0 {
		return ""
	}
	expr := m.r.serving(c, function.Signature().Results().At(0).Type(), variable)
	switch {
	case expr == "", !m.make(function, variable):
		return ""
	case c.client != nil:
		return "&service{" + expr + "}"
	}
	return expr
}

// take returns the expression for what takes an address or a token by its name, "" for something else.
func (m *construction) take(name string) string {
	switch {
	case namesAddress.MatchString(name) && m.wantsAddress:
		m.wantsAddress = false
		return "address"
	case namesToken.MatchString(name) && m.wantsToken:
		m.wantsToken = false
		return m.token
	}
	return ""
}

// make writes the statements that make a value with a function of the SDK, and set the address and the token there. It returns false
// if the function takes or returns more.
func (m *construction) make(function *types.Func, variable string) bool {
	results := function.Signature().Results()
	mayFail := isCallable(function.Signature())
	arguments, ok := m.arguments(function.Signature(), variable)
	if !ok || results.Len() > 2 || results.Len() == 2 && !mayFail {
		return false
	}
	call := " := " + m.r.qualify(function.Pkg()) + "." + function.Name() + "(" + strings.Join(arguments, ", ") + ")"
	if mayFail {
		m.write(variable+", err"+call, m.orFail())
	} else {
		m.write(variable + call)
	}
	m.set(variable, results.At(0).Type())
	return true
}

func (m *construction) write(statements ...string) {
	m.statements = append(m.statements, statements...)
}

// orFail returns the statement after a call that may fail.
func (m *construction) orFail() string { return "if err != nil {\n" + m.fails + "\n}" }

// arguments returns what a function is called with that makes a client, or its configuration.
func (m *construction) arguments(s *types.Signature, variable string) (arguments []string, ok bool) {
	for _, v := range required(s) {
		t := gotypes.Deref(v.Type())
		switch {
		case isContext(t):
			arguments = append(arguments, "context.Background()")
		case gotypes.IsDeclaredIn(t, "net/http", "Client"):
			arguments = append(arguments, "&http.Client{}")
		case gotypes.IsPointer(v.Type()) && variable != configuration && m.configured(t):
			arguments = append(arguments, configuration)
		case !types.Identical(t, types.Typ[types.String]):
			return nil, false
		default:
			text := m.take(v.Name())
			// The only other text is a token, and a server in a test takes any text for any other.
			if text == "" && !namesAddress.MatchString(v.Name()) && (m.wantsToken || m.knowsAddress) {
				text, m.wantsToken = m.token, false
			}
			if text == "" {
				return nil, false
			}
			arguments = append(arguments, text)
		}
	}
	if s.Variadic() {
		arguments = append(arguments, m.options(itemOf(s.Params().At(s.Params().Len()-1).Type()))...)
	}
	return arguments, true
}

// configuration is the variable with what openapi-generator's clients are made of.
const configuration = "configuration"

// configured makes a configuration of a type, if the SDK has a function for it.
func (m *construction) configured(t types.Type) bool {
	named := gotypes.NamedOf(t)
	if named == nil || gotypes.StructOf(named) == nil {
		return false
	}
	function, ok := named.Obj().Pkg().Scope().Lookup("New" + named.Obj().Name()).(*types.Func)
	return ok && function.Signature().Results().Len() > 0 && m.make(function, configuration)
}

// options returns the options of a type that say the address and the token.
func (m *construction) options(t types.Type) (all []string) {
	for _, names := range []*regexp.Regexp{namesAddress, namesToken} {
		of := filter(m.r.optionsOf(t), func(f *types.Func) bool { return takesText(f.Signature()) && names.MatchString(f.Name()) })
		if len(of) == 0 {
			continue
		}
		if names == namesToken { // is enough, unlike a key that goes with the name of a user
			of = narrowed(of, func(f *types.Func) bool { return strings.HasSuffix(f.Name(), "Token") })
		}
		best := slices.MinFunc(of, func(a, b *types.Func) int { return len(a.Name()) - len(b.Name()) })
		if text := m.take(best.Name()); text != "" {
			all = append(all, m.r.qualify(best.Pkg())+"."+best.Name()+"("+text+")")
		}
	}
	return all
}

// optionsOf returns the functions that make an option of a type of one value: those of the SDK, and of the package of the type.
func (r *reader) optionsOf(t types.Type) (all []*types.Func) {
	of := []*types.Package{r.pkg.Types}
	named, ok := t.(interface{ Obj() *types.TypeName }) // or an alias, maybe of an internal package
	if ok && named.Obj().Pkg() != nil && named.Obj().Pkg() != of[0] {
		of = append(of, named.Obj().Pkg())
	}
	for _, p := range of {
		all = append(all, filter(exported[*types.Func](p), func(f *types.Func) bool {
			params, results := f.Signature().Params(), f.Signature().Results()
			return params.Len() == 1 && results.Len() == 1 && types.Identical(results.At(0).Type(), t)
		})...)
	}
	return all
}

// takesText reports whether a function takes a text alone.
func takesText(s *types.Signature) bool {
	return s.Params().Len() == 1 && types.Identical(s.Params().At(0).Type(), types.Typ[types.String])
}

// set sets the address and the token of a client, where the function that makes it doesn't take them.
func (m *construction) set(variable string, t types.Type) {
	named := gotypes.NamedOf(gotypes.Deref(t))
	if named == nil {
		return
	}
	set := func(name, statement string) {
		if text := m.take(name); text != "" {
			m.write(fmt.Sprintf(statement, text))
		}
	}
	methods := types.NewMethodSet(types.NewPointer(named))
	for i := range methods.Len() {
		method, _ := methods.At(i).Obj().(*types.Func)
		name, isSet := strings.CutPrefix(method.Name(), "Set")
		switch call := variable + "." + method.Name() + "(%s)"; {
		case !isSet || !takesText(method.Signature()):
		case isCallable(method.Signature()):
			set(name, "if err := "+call+"; err != nil {\n"+m.fails+"\n}")
		default:
			set(name, call)
		}
	}
	if methodOf(types.NewPointer(named), "AddDefaultHeader") != nil {
		set("token", variable+`.AddDefaultHeader("Authorization", "Bearer "+%s)`)
	}
	s := gotypes.StructOf(named)
	if s == nil {
		return
	}
	if m.knowsAddress && hasField(s, "Host") && hasField(s, "Scheme") { // even if an option has it, which may drop the port
		m.wantsAddress = false
		m.write(variable + ".Scheme, " + variable + `.Host, _ = strings.Cut(address, "://")`)
	}
	for v := range s.Fields() {
		switch field := variable + "." + v.Name(); {
		case !v.Exported() || !namesAddress.MatchString(v.Name()):
		case types.Identical(v.Type(), types.Typ[types.String]):
			set(v.Name(), field+" = %s")
		case pointsTo(v.Type(), "net/url", "URL"):
			set(v.Name(), "base, err := url.Parse(%s + \"/\")\n"+m.orFail()+"\n"+field+" = base")
		}
	}
}

func hasField(s *types.Struct, name string) bool {
	return s != nil && slices.ContainsFunc(slices.Collect(s.Fields()), func(v *types.Var) bool { return v.Name() == name })
}

// serving returns the expression for the value with all methods that are called: a client, or a field of it; "" if there is none.
func (r *reader) serving(c *calls, t types.Type, client string) string {
	if expr := c.served(t, client); expr != "" || gotypes.StructOf(t) == nil {
		return expr
	}
	for v := range gotypes.StructOf(t).Fields() {
		if expr := c.served(v.Type(), client+"."+v.Name()); expr != "" && v.Exported() {
			return expr
		}
	}
	return ""
}

// served returns an expression for what has all methods: one of a type, or its address; "" if neither has.
func (c *calls) served(t types.Type, expr string) string {
	has := func(t types.Type) bool {
		if c.client != nil {
			return types.AssignableTo(t, c.client)
		}
		return !slices.ContainsFunc(c.all(), func(m *method) bool {
			object, _, _ := types.LookupFieldOrMethod(t, false, nil, m.name)
			f, ok := object.(*types.Func)
			return !ok || !types.Identical(f.Signature(), m.signature)
		})
	}
	switch {
	case has(t):
		return expr
	case has(types.NewPointer(t)):
		return "&" + expr
	}
	return ""
}
