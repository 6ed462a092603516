package sdkconversion

import (
	"go/types"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// time returns a time as a time.Time.
func (p *printer) time(t types.Type, source string) string {
	switch gotypes.TimeFormOf(t) {
	case gotypes.EmbeddedTime:
		return selection(source, "Time")
	case gotypes.DeclaredTime:
		return p.Standard("time", "Time") + "(" + source + ")"
	default:
		return source
	}
}

// timeOf returns the time in a value. What is sent is in UTC: some SDKs write the hour alone, and Kubernetes decodes times as local ones.
func (p *printer) timeOf(v *value, source string) string {
	if !v.method.sends {
		return p.time(v.from, source)
	} else if gotypes.TimeFormOf(v.from) == gotypes.EmbeddedTime {
		return selection(source, "UTC()")
	}
	return selection(p.time(v.from, source), "UTC()")
}

// ofTime returns a time.Time as another type of times.
func (p *printer) ofTime(t types.Type, source string) string {
	switch gotypes.TimeFormOf(t) {
	case gotypes.EmbeddedTime:
		return p.typeName(t) + "{Time: " + source + "}"
	case gotypes.DeclaredTime:
		return p.typeName(t) + "(" + source + ")"
	default:
		return source
	}
}

func (p *printer) times(v *value, source string, assign func(string)) {
	assign(p.ofTime(v.to, p.timeOf(v, source)))
}

func (p *printer) printTime(v *value, source string, assign func(string)) {
	formatted := selection(p.timeOf(v, source), "Format(") + p.Standard("time", "RFC3339Nano") + ")"
	// The zero time would be sent as the year 1.
	p.Block("if !"+selection(p.time(v.from, source), "IsZero()"), func() { assign(p.converted(text, v.to, formatted)) })
}

func (p *printer) parseTime(v *value, source string, assign func(string)) {
	// "" isn't a time, and means unset.
	p.Block("if "+source+` != ""`, func() {
		at := p.variable("at")
		p.Line(at, ", err := ", p.Standard("time", "Parse"), "(", p.Standard("time", "RFC3339"), ", ", p.converted(v.from, text, source), ")")
		p.checkError()
		assign(p.ofTime(v.to, at))
	})
}
