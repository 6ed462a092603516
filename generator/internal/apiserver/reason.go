package apiserver

import (
	"reflect"
	"regexp"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// reason returns the message of e as one line, which is the same in every run.
func reason(crd *apiextensionsv1.CustomResourceDefinition, e *field.Error) string {
	brief := *e
	if !isScalar(e.BadValue) {
		// The server would quote a rule, or even all versions, in full.
		brief.BadValue = field.OmitValueType{}
	}
	// Errors about oldSelf name the list that can't be correlated.
	if text, path, ok := strings.Cut(e.Detail, " within spec."); ok {
		brief.Detail = text + " within " + locate(crd, "spec."+path).path.String()
	}
	return oneLine(brief.ErrorBody())
}

func isScalar(value any) bool {
	switch reflect.ValueOf(value).Kind() {
	case reflect.String, reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Float32, reflect.Float64:
		return true
	}
	return false
}

// selfType is the name that the API server gives to the type of self. The name contains the time of day.
var selfType = regexp.MustCompile(`\bselfType[0-9]+\b`)

// oneLine joins the lines of a message of the CEL compiler.
func oneLine(message string) string {
	var b strings.Builder
	for line := range strings.Lines(message) {
		line = strings.TrimRight(line, "\r\n")
		// the source of the rule, or the arrow below it
		if strings.HasPrefix(line, " | ") {
			continue
		}
		if next, ok := strings.CutPrefix(line, "ERROR: "); ok && b.Len() > 0 {
			b.WriteString("; " + next)
			continue
		}
		if b.Len() > 0 {
			b.WriteString(" ")
		}
		b.WriteString(line)
	}
	return selfType.ReplaceAllString(b.String(), "self")
}
