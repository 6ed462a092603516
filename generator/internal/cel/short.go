package cel

// Short returns a shorter expression that comes to the same. Kubernetes knows optionals, which it has
// in place of conditions that all on the way to a field is set, from 1.29 on.
func (e Expr) Short() Expr {
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
	return join(e.form, optionals(e.form, e.operands()))
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

// tested returns the field that an expression says is set.
func tested(e Expr) (Expr, bool) {
	if e.form != callForm || e.text != "has" {
		return Expr{}, false
	}
	return e.args[0], true
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
