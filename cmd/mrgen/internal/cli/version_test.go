package cli

import (
	"runtime/debug"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestDescribeBuild(t *testing.T) {
	for name, test := range map[string]struct {
		info debug.BuildInfo
		want string
	}{
		"installed": {debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "v0.1.0"}}, "mrgen v0.1.0 go1.26.0"},
		"built in a checkout": {
			debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
				{Key: "vcs.revision", Value: "0123abc"}, {Key: "vcs.modified", Value: "false"},
			}},
			"mrgen (devel) revision 0123abc go1.26.0",
		},
		"with changes": {
			debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
				{Key: "vcs.revision", Value: "0123abc"}, {Key: "vcs.modified", Value: "true"},
			}},
			"mrgen (devel) revision 0123abc modified go1.26.0",
		},
	} {
		t.Run(name, func(t *testing.T) {
			expect.Equal(t, test.want, describeBuild(&test.info), "describeBuild")
		})
	}
}

// TestPublished holds which versions a provider is pinned to: those that the go command can get.
func TestPublished(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.3": "v1.2.3", "v1.2.3-rc.1": "v1.2.3-rc.1", "v0.0.0-20260101000000-0123456789ab": "v0.0.0-20260101000000-0123456789ab",
		"v1.2.4-0.20260101000000-0123456789ab+dirty": "", "(devel)": "", "": "",
	} {
		expect.Equal(t, want, published(version), "%q is published as", version)
	}
}
