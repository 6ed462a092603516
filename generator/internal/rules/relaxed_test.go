package rules_test

import (
	_ "embed"
	"testing"
)

// Each default lacks what rules ask for in place of the schema.
//
//go:embed testdata/lacking.go
var lacking string

// TestLackingDefaults holds where defaults are refused that relaxing would hide.
func TestLackingDefaults(t *testing.T) { saidOf(t, lacking, "Lacking") }

// The rules of types demand fields that are required of managed resources alone.
//
//go:embed testdata/demanding.go
var demanding string

// TestDemandingRules holds which rules are said to undo what was relaxed.
func TestDemandingRules(t *testing.T) { saidOf(t, demanding, "Demanding") }
