package cel

// Short returns a shorter expression that comes to the same. Kubernetes knows optionals, which it has
// in place of conditions that all on the way to a field is set, from 1.29 on.
func (e Expr) Short() Expr {
	if e.form == "&&" {
		e = e.distributed()
	}
	isJoin := e.form == "&&" || e.form == "||"
	if isJoin {
		e.args = e.operands()
	}
	var args []Expr
	for _, arg := range e.args {
		args = append(args, arg.Short())
	}
	if e.args = args; !isJoin {
		return e
	}
	args = e.operands()
	if e.form == "||" {
		args = among(args)
	}
	return join(e.form, optionals(e.form, args))
}

// operands returns what an operator joins, and what it joins within that.
func (e Expr) operands() []Expr {
	var all []Expr
	for _, arg := range e.args {
		if arg.form == e.form {
			all = append(all, arg.operands()...)
		} else {
			all = append(all, arg)
		}
	}
	return all
}

// maxAlternatives bounds what is shorter if each alternative says on its own that all around it is set.
const maxAlternatives = 3

// distributed returns has(a) && (has(a.b) || has(a.c)) as alternatives, each of which can be an optional.
func (e Expr) distributed() Expr {
	all := e.operands()
	around, last := all[:len(all)-1], all[len(all)-1]
	alternatives := last.operands()
	object, ok := tested(around[len(around)-1])
	if last.form != "||" || !ok || len(alternatives) > maxAlternatives || len(optionals(e.form, around)) != 1 {
		return e
	}
	for i, a := range alternatives {
		first := a
		if a.form == e.form {
			first = a.operands()[0]
		}
		if field, ok := tested(first); !ok || !field.args[0].Equals(object) {
			return e
		}
		alternatives[i] = And(append(around[:len(around):len(around)], a)...)
	}
	return Or(alternatives...)
}

// tested returns the field that an expression says is set.
func tested(e Expr) (Expr, bool) {
	if e.form != callForm || e.text != "has" {
		return Expr{}, false
	}
	return e.args[0], true
}

// among returns alternatives in which one loop asks whether one of several literals is in a list.
func among(all []Expr) []Expr {
	var short []Expr
	for len(all) > 0 {
		n := 0
		var values []Expr
		for n < len(all) && all[n].form == "in" && all[n].args[0].form == literalForm && all[n].args[1].Equals(all[0].args[1]) {
			values = append(values, all[n].args[0])
			n++
		}
		next := all[0]
		if n > 1 {
			next = List(values...).Method("exists", Var("p"), Op(Var("p"), "in", all[0].args[1]))
		}
		short, all = append(short, next), all[max(n, 1):]
	}
	return short
}

// optionals returns conditions that an operator joins, or what is left of them with an optional for
// each field that they say is set, or isn't, and for what they compare it with then.
func optionals(operator string, all []Expr) []Expr {
	// and has what && joins stand for what || joins, which is its negation.
	and, comparison := func(e Expr) Expr { return e }, "!="
	if operator == "||" {
		comparison = "=="
		and = func(e Expr) Expr {
			if e.form == "!" {
				return e.args[0]
			}
			return Not(e)
		}
	}
	var short []Expr
	for len(all) > 0 {
		var field, value Expr
		n := 0
		for ; n < len(all); n++ {
			next, ok := tested(and(all[n]))
			if !ok || n > 0 && !next.args[0].Equals(field) {
				break
			}
			if n == 0 {
				value = next.args[0]
			}
			field, value = next, Expr{optionalForm, next.text, []Expr{value}}
		}
		next := all[0]
		switch follows := n > 0 && n < len(all); {
		case follows && all[n].form == comparison && all[n].args[0].Equals(field) && all[n].args[1].form == literalForm:
			next = Op(value.Method("orValue", all[n].args[1]), comparison, all[n].args[1])
			n++
		case follows && and(all[n]).Equals(field):
			next = and(value.Method("orValue", Literal("false")))
			n++
		case n > 1:
			next = and(value.Method("hasValue"))
		default:
			n = 1
		}
		short, all = append(short, next), all[n:]
	}
	return short
}
