package admission_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// terms are expressions by their type, of which rules on the schema of ruleCRD are made. A name in
// angle brackets is an expression of that type; x is replaced with a variable that no expression
// around has. Those after the first line take more than a variable or a literal.
var terms = map[string][]string{
	"string": {"self.text", "self.long", "oldSelf.text", "'a'",
		"self.text + <string>", "string(<quantified>)", "<list>[0]", "<list>[<int>]", "self.labels['a']", "self.?text.orValue(<string>)",
		"<string>.lowerAscii()", "<string>.replace('a', <string>)", "<string>.substring(1)", "<flag> ? <string> : <string>", "<list>.join(',')", "dyn(<string>)",
		"string(<int>)", "<string>.trim()", "url('https://a.example').getHost()", "<optional>.orValue('a')", "<string>.find('[a-z]+')"},
	"int": {"self.count", "1", "size(self.list)", "oldSelf.count",
		"size(<list>)", "size(<string>)", "<int> + <int>", "<flag> ? <int> : <int>", "self.numbers.sum()", "<numbers>[0]", "int(self.count)", "<string>.indexOf('a')",
		"<quantity>.compareTo(<quantity>)", "sign(<quantity>)", "ip('10.0.0.1').family()", "cidr('10.0.0.0/8').prefixLength()"},
	"flag": {"self.flag", "true", "has(self.text)", "oldSelf.flag",
		"<string> == <string>", "<string> != <string>", "<string> in <list>", "<list> == <list>", "<int> < <int>", "<flag> && <flag>", "<flag> || <flag>", "!<flag>",
		"<list>.all(x, <flag>)", "<list>.exists(x, x == <string>)", "<list>.exists_one(x, x in <list>)", "self.labels.all(x, self.labels[x] == <string>)",
		"self.parts.all(x, x.name == <string>)", "self.parts.exists(x, x.values.all(y, y == <string>))", "self.parts.map(x, x.name).exists(y, y == <string>)",
		"<quantity> == <quantity>", "<quantity> != <quantity>", "<quantity>.isLessThan(<quantity>)", "isQuantity(<string>)", "<quantities> == <quantities>",
		"<string>.matches('^a+$')", "matches(<string>, '^a+$')", "<string>.startsWith(<string>)", "<string>.contains(<string>)", "<string> < <string>",
		"isIP(<string>)", "ip(<string>) == ip(<string>)", "ip(<string>).isLoopback()", "isCIDR(<string>)", "cidr(<string>) == cidr(<string>)", "cidr('10.0.0.0/8').containsIP(<string>)",
		"cidr('10.0.0.0/8').containsIP(ip(<string>))", "isURL(<string>)", "url(<string>) == url(<string>)", "url(<string>).getHost() == <string>",
		"format.dns1123Label().validate(<string>).hasValue()", "format.dns1123Label() == format.uuid()", "isSemver(<string>)", "semver(<string>) == semver('1.0.0')",
		"<optional> == <optional>", "self.?count == optional.of(<int>)", "<optional>.hasValue()", "self.when == oldSelf.when", "self.when < timestamp('2020-01-01T00:00:00Z')",
		"self.amount == oldSelf.amount", "dyn(<string>) == dyn(<string>)", "sets.contains(<list>, <list>)", "sets.equivalent(<list>, <list>)", "sets.intersects(<list>, <list>)", "<list>.isSorted()",
		"<numbers> == <numbers>", "<numbers>.exists(x, x == <int>)", "type(<string>) == string", "{'a': <string>} == {'a': <string>}", "self.labels == oldSelf.labels", "self.parts == oldSelf.parts"},
	"list": {"self.list", "self.unbounded", "['a', 'b']", "oldSelf.list",
		"<list> + <list>", "<list>.map(x, x + <string>)", "<list>.filter(x, x != <string>)", "self.parts.map(x, x.name)", "[<string>, <string>]", "self.labels.map(x, x)", "self.parts[0].values",
		"<flag> ? <list> : <list>", "<string>.split(',')", "<string>.findAll('[a-z]')", "self.labels.map(x, self.labels[x])", "dyn(<list>)", "<list>.map(x, <flag>, x)"},
	"numbers": {"self.numbers", "[1, 2]", "oldSelf.numbers",
		"<numbers>.map(x, x + 1)", "<list>.map(x, size(x))", "<numbers> + [<int>]"},
	"quantified": {"self.amount", "self.count"},
	"quantity": {"quantity('1Mi')", "quantity(self.text)", "quantity(string(self.amount))",
		"quantity(<string>)", "<quantity>.add(<quantity>)", "<quantity>.sub(1)"},
	"quantities": {"self.parts.map(x, quantity(string(x.size)))",
		"<list>.map(x, quantity(x))", "[<quantity>]"},
	"optional": {"self.?text", "optional.of('a')", "oldSelf.?text",
		"optional.of(<string>)", "<flag> ? <optional> : optional.none()", "self.?labels[?'a']"},
}

// randomRule returns a rule on the schema of ruleCRD. Not all of them compile.
func randomRule(r *rand.Rand) string {
	variables := 0
	return randomTerm(r, "flag", 1+r.IntN(4), &variables)
}

// randomTerm returns an expression of a type that nests expressions to the depth.
func randomTerm(r *rand.Rand, of string, depth int, variables *int) string {
	all := terms[of]
	if depth == 0 {
		all = all[:min(3, len(all))]
	}
	term := all[r.IntN(len(all))]
	var b strings.Builder
	x, y := fmt.Sprintf("x%d", *variables), fmt.Sprintf("y%d", *variables)
	*variables++
	for len(term) > 0 {
		end := strings.IndexByte(term, '>')
		switch {
		case term[0] == '<' && end > 0 && terms[term[1:end]] != nil:
			inner := randomTerm(r, term[1:end], max(depth-1, 0), variables)
			if strings.ContainsAny(inner, " ?") {
				inner = "(" + inner + ")"
			}
			b.WriteString(inner)
			term = term[end+1:]
			continue
		case isVariable(term, 'x', b.String()):
			b.WriteString(x)
		case isVariable(term, 'y', b.String()):
			b.WriteString(y)
		default:
			b.WriteByte(term[0])
		}
		term = term[1:]
	}
	return b.String()
}

// isVariable reports whether what is left of a term begins with a variable, given what precedes.
func isVariable(rest string, name byte, before string) bool {
	isName := func(c byte) bool {
		return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	return rest[0] == name && (len(rest) == 1 || !isName(rest[1])) && (before == "" || !isName(before[len(before)-1]))
}
