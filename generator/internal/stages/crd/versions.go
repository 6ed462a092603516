package crd

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/markers"
)

// checkVersions reports the losses of users who work with a version that isn't stored. Without a webhook, the
// API server converts objects by changing the name of the version, and drops the fields that the other version
// doesn't know: see "None converter" in
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/
func checkVersions(mode run.VersionsMode, d stage.Definition) diag.List {
	if mode == run.IgnoreVersions || len(d.Objects) < 2 {
		return nil
	}
	stored := d.Stored()
	if stored < 0 {
		return nil // reported already
	}
	c := &versionCheck{definition: d, stored: stored, severity: severityOf(mode), remedy: remedy}
	if !isConvertible(d) {
		c.remedy = remedyOfConfig
	}
	for i, o := range d.Objects {
		// The author's conversions may keep the values.
		if i != stored && d.CRD.Spec.Versions[i].Served && !converts(d.Objects[stored], o) {
			c.compare(i)
		}
	}
	for _, l := range c.lacking {
		c.report(l.at, "updates in %s drop %s of %s, which %s stores: add the field there, %s",
			diag.And(l.versions), l.at.Path, c.kind(), c.name(stored), c.remedy)
	}
	return c.diags
}

// isConvertible reports whether a webhook may convert a kind. ProviderConfigs are never converted: a provider
// may run no pod before one of its kinds is active.
func isConvertible(d stage.Definition) bool {
	role := d.Objects[0].Role
	return role == model.Managed || role == model.Unmanaged
}

// differ reports whether the served versions of a kind differ, by their schemas or by the author's markers.
func differ(d stage.Definition) bool {
	stored := d.Stored()
	isMarked := func(f *model.Field) bool {
		return f.OwnMarker(markers.RenamedFrom) != nil || f.OwnMarker(markers.ConvertedBy) != nil || f.OwnMarker(markers.Singleton) != nil
	}
	isAsked := slices.ContainsFunc(d.Objects, func(o *model.Object) bool { return o.Type.HoldsField(isMarked) })
	for i, v := range d.CRD.Spec.Versions {
		if !v.Served || stored < 0 || i == stored {
			continue
		}
		if isAsked || len(versions.Losses(d.Root(i), d.Root(stored))) > 0 || len(versions.Losses(d.Root(stored), d.Root(i))) > 0 {
			return true
		}
	}
	return false
}

// remedy ends messages about lost values, and remedyOfConfig about lost values of a ProviderConfig.
const (
	remedy         = "mark the version +kubebuilder:unservedversion, or set versions.mode: convert in mrgen.yaml"
	remedyOfConfig = "or mark the version +kubebuilder:unservedversion: versions of a ProviderConfig are never converted"
)

// severityOf returns the severity of problems with the versions of a kind.
func severityOf(mode run.VersionsMode) diag.Severity {
	if mode == run.ReportVersions {
		return diag.Warning
	}
	return diag.Error
}

// versionCheck compares the versions of a kind with the stored one.
type versionCheck struct {
	definition stage.Definition
	stored     int
	severity   diag.Severity
	remedy     string
	// lacking are the values that only the stored version has.
	lacking []lackingValue
	diags   diag.List
}

// A lackingValue is a value of the stored version that other versions lack.
type lackingValue struct {
	at       schema.Cursor
	versions []string
}

func (c *versionCheck) kind() string { return c.definition.Objects[0].Name }

func (c *versionCheck) name(version int) string { return c.definition.CRD.Spec.Versions[version].Name }

func (c *versionCheck) report(at schema.Cursor, format string, args ...any) {
	problem := diag.Errorf(at.Pos, versions.Code, format, args...)
	problem.Severity = c.severity
	c.diags = append(c.diags, problem)
}

// compare compares a version with the stored one.
func (c *versionCheck) compare(version int) {
	served, stored := c.definition.Root(version), c.definition.Root(c.stored)
	for _, l := range versions.Losses(served, stored) {
		if l.Dropped() {
			c.report(l.At, "%s of %s %s is dropped, since objects are stored as %s: add the field there, %s",
				l.At.Path, c.kind(), c.name(version), c.name(c.stored), c.remedy)
		} else {
			c.report(l.At, "%s of %s has the type %s in %s, and %s in %s, which is stored: give it one type, %s",
				l.At.Path, c.kind(), l.From, c.name(version), l.To, c.name(c.stored), c.remedy)
		}
	}
	for _, l := range versions.Losses(stored, served) {
		if !l.Dropped() {
			continue // reported from the other side
		}
		i := slices.IndexFunc(c.lacking, func(other lackingValue) bool { return other.at.Path.Compare(l.At.Path) == 0 })
		if i < 0 {
			i = len(c.lacking)
			c.lacking = append(c.lacking, lackingValue{at: l.At})
		}
		c.lacking[i].versions = append(c.lacking[i].versions, c.name(version))
	}
}

// converts reports whether the author has written the methods by which controller-runtime's webhook converts a
// version: see its package pkg/conversion.
func converts(stored, served *model.Object) bool {
	return stored.Methods[versions.HubMethod] && served.Methods[versions.ConvertToMethod] && served.Methods[versions.ConvertFromMethod]
}
