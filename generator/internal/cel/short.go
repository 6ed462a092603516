package cel

// Short returns an equivalent but shorter expression. It uses optionals, which Kubernetes supports since 1.29, in place
// of conditions that each field on the way is set.
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

// operands returns the operands of an operator, and of the same operator nested in it.
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

// optionals shortens the conditions that an operator joins: an optional replaces the tests that each field on the way is
// set, or isn't, and the comparison after them.
func optionals(operator string, all []Expr) []Expr {
	// Under ||, each condition is the negation of its counterpart under &&: and negates it.
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
			// A chain of tests goes on only below the field tested last.
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
		case follows && and(all[n]).Equals(field): // a boolean field: its value is the condition
			next = and(value.Method("orValue", Literal("false")))
			n++
		case n > 1: // the tests alone: hasValue() says the same
			next = and(value.Method("hasValue"))
		default: // neither a chain of tests nor a comparison: it stays as it is
			n = 1
		}
		short, all = append(short, next), all[n:]
	}
	return short
}
