package testdata

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestLifePage checks that the guide has each step of a life, and the name of each failure.
func TestLifePage(t *testing.T) {
	page, err := os.ReadFile("../docs/guide/lives.md")
	if err != nil {
		t.Fatal(err)
	}
	for file, pattern := range map[string]string{
		"life/steps.go":  `\{name: "([^"]+)".*holds: "([^"]+)"`,
		"life/causes.go": `cause\{"([^"]+)", `,
	} {
		source, err := Life.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(pattern).FindAllStringSubmatch(string(source), -1)
		if len(found) < 20 {
			t.Errorf("%s has %d entries", file, len(found))
		}
		for _, texts := range found {
			for _, text := range texts[1:] {
				if !strings.Contains(string(page), text) {
					t.Errorf("the page lacks %q of %s", text, file)
				}
			}
		}
	}
}
