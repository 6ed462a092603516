package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/scaffold"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newAddCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "add",
		Short:   "Add a kind, version, scope, ProviderConfigs or tests",
		Example: "  mrgen add kind Bucket --group=storage --version=v1alpha1",
	}
	cmd.AddCommand(newAddKindCommand(), newAddVersionCommand(), newAddScopeCommand(), newAddProviderConfigCommand(), newAddLifeCommand())
	return cmd
}

func newAddKindCommand() *cobra.Command {
	var options scaffold.KindOptions
	var sdk scaffold.KindSource
	var externalName string
	cmd := &cobra.Command{
		Use:   "kind NAME",
		Short: "Add a kind of managed resource, or a version of one",
		Long: `kind writes the types of a managed resource, its controller with tests, and an example manifest,
registers them, and runs generate. Controller and tests name no field of the types, so you can
delete and rename them. Where kind can't edit a file safely, it says what to write by hand.

The controller calls an interface, Client, which a client in memory implements until you do for your
API. With --sdk, types and calls come from an SDK: a package of your module, or of one that go.mod
requires. mrgen lint lists what was guessed, and mrgen examples writes the manifest.

All or nothing: if the result wouldn't compile, or kind is interrupted, nothing changes.`,
		Example: `  mrgen add kind Bucket --group=storage --version=v1alpha1
  mrgen add kind Hook --group=projects --version=v1alpha1 --sdk=gitlab.com/gitlab-org/api/client-go/v2 --observe=ProjectHook --create=AddProjectHookOptions --update=EditProjectHookOptions`,
		Args: oneArgument("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			options.Kind = args[0]
			options.DryRun = wantsDiff(cmd)
			if slices.ContainsFunc(sourceFlags, cmd.Flags().Changed) {
				if err := checkSource(cmd); err != nil {
					return err
				}
				if cmd.Flags().Changed("external-name") {
					sdk.ExternalName = externalName
				}
				options.SDK = &sdk
			}
			who, key, hasKey := strings.Cut(externalName, "=")
			if hasKey && options.SDK == nil && who == "user" {
				return fmt.Errorf("--external-name=user=%s is for the request of an SDK, which --sdk names: write --external-name=user", key)
			}
			if hasKey && options.SDK == nil || who != "user" && who != "api" {
				return fmt.Errorf("%s takes user or api as --external-name, and not %q: name who chooses it", cmd.CommandPath(), externalName)
			}
			options.Example.APINames = externalName == "api"
			return addTo(cmd, &options.Options, func() (scaffold.Result, error) { return scaffold.AddKind(cmd.Context(), options) })
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&options.Group, "group", "", "first word of the API group, such as storage, or all of it")
	cmd.Flags().StringVar(&options.Version, "version", "", "version of the API, such as v1alpha1")
	addScopeFlag(cmd, &options)
	cmd.Flags().BoolVar(&options.Example.Password, "password", false, "the API creates resources with a password, which the controller makes")
	cmd.Flags().BoolVar(&options.Example.NoTags, "no-tags", false, "the API has no tags")
	cmd.Flags().StringVar(&externalName, "external-name", "user", "who chooses it: user, api, or with --sdk user=KEY")
	complete(cmd, "external-name", cobra.FixedCompletions([]string{"user", "api"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().StringVar(&sdk.Package, "sdk", "", "import path of an SDK, in your module or one that go.mod requires")
	cmd.Flags().StringVar(&sdk.Observe, "observe", "", "type of the object that the API returns")
	cmd.Flags().StringVar(&sdk.Create, "create", "", "type of the request that creates it")
	cmd.Flags().StringVar(&sdk.Update, "update", "", "type of the request that updates it, if it can be updated")
	cmd.Flags().StringSliceVar(&sdk.Methods, "method", nil, "method for a role, if several fit, such as read=GetHook")
	addDiffFlag(cmd.Flags())
	requireFlags(cmd, "group", "version")
	return cmd
}

// sourceFlags are the flags for a kind made from an SDK: the required ones first.
var sourceFlags = []string{"sdk", "observe", "create", "update", "method"}

// checkSource reports flags that are missing, and those whose questions the SDK's types answer.
func checkSource(cmd *cobra.Command) error {
	flags := cmd.Flags()
	isAlone := !slices.ContainsFunc(sourceFlags[1:], flags.Changed)
	for _, name := range sourceFlags[:3] {
		if !flags.Changed(name) && !(isAlone && name != "sdk") {
			return fmt.Errorf("%s needs --%s to make a kind of an SDK: %s", cmd.CommandPath(), name, flags.Lookup(name).Usage)
		}
	}
	for _, name := range []string{"password", "no-tags"} {
		if flags.Changed(name) {
			return fmt.Errorf("%s takes no --%s beside --sdk, which tells what the API has: leave it out", cmd.CommandPath(), name)
		}
	}
	return nil
}

// addScopeFlag adds the flag for the scope of a kind.
func addScopeFlag(cmd *cobra.Command, options *scaffold.KindOptions) {
	cmd.Flags().StringVar(&options.Scope, "scope", "", "namespaced or cluster, to add the kind in one of two scopes")
	complete(cmd, "scope", cobra.FixedCompletions([]string{scaffold.Namespaced, scaffold.Cluster}, cobra.ShellCompDirectiveNoFileComp))
}

func newAddVersionCommand() *cobra.Command {
	var options scaffold.VersionOptions
	cmd := &cobra.Command{
		Use:   "version KIND VERSION",
		Short: "Add a version of a kind, with the types of an existing one",
		Long: `version copies the types of a kind to the package of another version, with everything they need,
registers the package, and generates. Then change the types: with versions.mode: convert, mrgen
writes the functions that convert the versions.

Objects stay stored in the same version as before, or in the new one with --storage. The
controller keeps working on its version. References to kinds of the copied package refer to the
copies.

All or nothing: if the result wouldn't compile, or version is interrupted, nothing changes.`,
		Example: `  # Another version of the kind Bucket, the same as the first:
  mrgen add version Bucket v1beta1 --from=v1alpha1

  # One that objects are stored in from now on:
  mrgen add version Bucket v1 --from=v1beta1 --storage`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%s takes a kind and its new version, such as Bucket v1beta1, but got %d of these", cmd.CommandPath(), len(args))
			}
			if kind := args[1]; kind[:1] == strings.ToUpper(kind[:1]) {
				return fmt.Errorf("%s takes the kind before its new version: write %[1]s %s %s", cmd.CommandPath(), kind, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			options.Kind, options.Version, options.DryRun = args[0], args[1], wantsDiff(cmd)
			return addTo(cmd, &options.Options, func() (scaffold.Result, error) { return scaffold.AddVersion(cmd.Context(), options) })
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&options.From, "from", "", "version to copy, such as v1alpha1, if there are several")
	cmd.Flags().BoolVar(&options.Storage, "storage", false, "store objects in the new version")
	cmd.Flags().StringVar(&options.Group, "group", "", "first word of the API group, or all of it, if several have the kind")
	addScopeFlag(cmd, &options.KindOptions)
	addDiffFlag(cmd.Flags())
	return cmd
}

func newAddLifeCommand() *cobra.Command {
	var options scaffold.KindOptions
	cmd := &cobra.Command{
		Use:   "life KIND",
		Short: "Add a test that lives the life of a kind",
		Long: `life writes a test beside the controller of a kind, and the package that it calls:
crossplane-runtime's reconciler and the API server's code drive the controller through everything
that happens to a managed resource. Fill in the places that comments name. A newer mrgen renews the
package.`,
		Example: "  mrgen add life Bucket",
		Args:    oneArgument("KIND"),
		RunE: func(cmd *cobra.Command, args []string) error {
			options.Kind, options.DryRun = args[0], wantsDiff(cmd)
			return addTo(cmd, &options.Options, func() (scaffold.Result, error) { return scaffold.AddLife(cmd.Context(), options) })
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&options.Group, "group", "", "first word of the API group, or all of it, if several have the kind")
	cmd.Flags().StringVar(&options.Version, "version", "", "version of the kind, such as v1alpha1, if there are several")
	addDiffFlag(cmd.Flags())
	return cmd
}

func newAddProviderConfigCommand() *cobra.Command {
	var options scaffold.ConfigOptions
	cmd := &cobra.Command{
		Use:   "providerconfig",
		Short: "Add ProviderConfigs to a provider without them",
		Long: `providerconfig writes the types of ProviderConfigs, with credentials, and of the objects that record
their use, registers them, and generates. If all kinds are namespaced, it adds
ClusterProviderConfigs, too. A controller protects configurations in use from deletion.

Files that exist are left alone, and named. All or nothing: if the result wouldn't compile, or
providerconfig is interrupted, nothing changes.`,
		Example: "  mrgen add providerconfig --version=v1alpha1",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options.DryRun = wantsDiff(cmd)
			return addTo(cmd, &options.Options, func() (scaffold.Result, error) { return scaffold.AddProviderConfig(cmd.Context(), options) })
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&options.Version, "version", "v1alpha1", "version of the API")
	addDiffFlag(cmd.Flags())
	return cmd
}

// addTo runs add with the settings of the current provider. It needs mrgen.yaml: with default settings,
// generating would overwrite the files of other tools.
func addTo(cmd *cobra.Command, options *provider.Options, add func() (scaffold.Result, error)) error {
	return change(cmd, options, true, add)
}

// change runs an edit of the current provider's source with its settings. needsFile says that these must come
// from mrgen.yaml.
func change(cmd *cobra.Command, options *provider.Options, needsFile bool, add func() (scaffold.Result, error)) error {
	root, s, diags := moduleSettings(cmd, nil)
	if _, err := os.Stat(filepath.Join(root, settings.FileName)); needsFile && errors.Is(err, fs.ErrNotExist) && !diags.HasErrors() {
		diags = append(diags, settings.Problem(diag.Position{File: settings.FileName},
			"this file does not exist: have mrgen adopt write it, which moves the provider over from other tools, or write it yourself"))
	}
	if diags.HasErrors() {
		return diagnose(cmd, diags)
	}
	*options = s.Options
	options.Dir = root
	finishes(cmd)
	done, err := add()
	if err != nil {
		return ours(cmd, err)
	}
	done.Diagnostics = s.Place(done.Diagnostics)
	if err := printScaffolding(cmd, "", done); err != nil {
		return err
	}
	if len(done.Ways) > 0 {
		sayWays(cmd, done.Ways)
		return nil
	}
	if !wantsDiff(cmd) {
		say(cmd, "%s", summary(done.Changes))
	}
	sayByHand(cmd, done.ByHand)
	sayDecisions(cmd, done.Decisions)
	if !wantsDiff(cmd) {
		sayNext(cmd, done)
	}
	return nil
}

// sayByHand prints the steps that the author has to take.
func sayByHand(cmd *cobra.Command, steps []scaffold.Step) {
	for _, step := range steps {
		say(cmd, "By hand: %s: %s", step.Pos, step.Text)
		for _, line := range step.Lines {
			say(cmd, "    %s", line)
		}
	}
}

// sayWays prints the commands that make a kind, with all flags.
func sayWays(cmd *cobra.Command, ways []scaffold.KindSource) {
	found := "this command"
	if len(ways) > 1 {
		found = "one of these commands"
	}
	say(cmd, "Nothing is written: names alone led to the types and methods. Look at them, and run %s:", found)
	given := "mrgen add kind " + cmd.Flags().Arg(0)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "sdk" {
			given += " --" + f.Name + "=" + f.Value.String()
		}
	})
	for _, way := range ways {
		update := ""
		if way.Update != "" {
			update = " --update=" + way.Update
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s --sdk=%s --observe=%s --create=%s%s --method=%s\n",
			given, way.Package, way.Observe, way.Create, update, strings.Join(way.Methods, ","))
	}
}

// sayDecisions prints the table of decisions about a kind that is made of an SDK.
func sayDecisions(cmd *cobra.Command, decisions []scaffold.Decision) {
	var table bytes.Buffer
	for _, d := range decisions {
		fmt.Fprintf(&table, "%s\t%s\t%s\n", d.Name, d.Ground, d.Choice)
	}
	for line := range bytes.Lines(aligned(table.Bytes())) {
		say(cmd, "%s", bytes.TrimSpace(line))
	}
}

// sayNext prints what to do next in the files written for a new kind.
func sayNext(cmd *cobra.Command, done scaffold.Result) {
	var next []string
	todos := []struct{ suffix, text string }{
		{"_types.go", "describe the kind in %s, and run mrgen generate"},
		{"/client.go", "implement the Client of %s for your API"},
	}
	if len(done.Decisions) > 0 {
		todos = []struct{ suffix, text string }{{"/client.go", "make the decisions that are open in %s: mrgen lint lists them"}}
	}
	for _, todo := range todos {
		var files []string
		for _, change := range done.Changes {
			isGenerated := generator.IsOwn(change.New)
			// Generated files need no attention, and updated ones are the author's already.
			if change.Action == run.Create && strings.HasSuffix(change.Path, todo.suffix) && !isGenerated {
				files = append(files, change.Path)
			}
		}
		if len(files) > 0 {
			next = append(next, fmt.Sprintf(todo.text, strings.Join(files, " and ")))
		}
	}
	if len(next) > 0 {
		say(cmd, "Next: %s", strings.Join(next, "; "))
	}
}
