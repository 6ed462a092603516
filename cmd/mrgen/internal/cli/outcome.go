package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/settings"
	"github.com/mrgen-io/mrgen/markers"
)

// The exit statuses of mrgen.
const (
	statusDone        = 0
	statusDifferences = 1
	statusTrouble     = 2
)

var (
	// errDifferences says that verify has printed differences.
	errDifferences = errors.New("files are out of date")
	// errReported says that the command has printed its problems.
	errReported = errors.New("problems were reported")
)

// An internalError is a bug in mrgen.
type internalError struct{ cause error }

func (e *internalError) Error() string { return diag.Internal(e.cause.Error()) }

func (e *internalError) Unwrap() error { return e.cause }

// A panicked error comes from a panic. The errors that the generator panics with after a panic in
// one of its goroutines have a stack as well.
type panicked struct {
	error
	stack []byte
}

func (p *panicked) Unwrap() error { return p.error }

// Stack returns the stack trace of the panic.
func (p *panicked) Stack() []byte { return p.stack }

// An outputError says that standard output can't be written.
type outputError struct{ cause error }

func (e *outputError) Error() string { return fmt.Sprintf("cannot write the output: %v", e.cause) }

func (e *outputError) Unwrap() error { return e.cause }

// write writes the output of a command.
func write(to io.Writer, content []byte) error {
	if _, err := to.Write(content); err != nil {
		return &outputError{err}
	}
	return nil
}

// output writes the text that a function returned with err. An error here is a bug in mrgen.
func output(cmd *cobra.Command, content []byte, err error) error {
	if err != nil {
		return &internalError{cause: err}
	}
	return write(cmd.OutOrStdout(), content)
}

// protect calls run and turns a panic into an error.
func protect(run func() error) (err error) {
	defer func() {
		switch reason := recover().(type) {
		case nil: // no panic
		case interface {
			error
			Stack() []byte
		}: // from another goroutine
			err = &internalError{cause: reason}
		default:
			err = &internalError{cause: &panicked{fmt.Errorf("%v", reason), debug.Stack()}}
		}
	}()
	return run()
}

// conclude prints the error of a command, unless it is printed already, and returns the exit status.
func conclude(err error, command string, stderr io.Writer) int {
	var internal *internalError
	var output *outputError
	switch {
	case err == nil:
		return statusDone
	case errors.Is(err, errDifferences):
		return statusDifferences
	case errors.Is(err, errReported): // printed already
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "interrupted")
	case errors.As(err, &internal):
		fmt.Fprintln(stderr, internal)
		var traced interface{ Stack() []byte }
		// A trace only helps to debug mrgen itself.
		if os.Getenv("MRGEN_DEBUG") == "1" && errors.As(internal, &traced) {
			fmt.Fprintf(stderr, "%s", traced.Stack())
		}
	case errors.As(err, &output):
		fmt.Fprintln(stderr, output)
	default:
		// Other errors are about arguments and flags.
		fmt.Fprintf(stderr, "%v\nRun '%s --help' for usage.\n", err, command)
	}
	return statusTrouble
}

// shortestPrefix is the length of the shortest prefix that stands for a name, hyphens of flags aside.
const shortestPrefix = 2

// suggest returns the likely meaning of an unknown name, as in "verify or version": the names that it begins,
// or else one with a similar spelling. It is empty if there is none.
func suggest(name string, known []string) string {
	var near []string
	if len(strings.TrimPrefix(name, "--")) >= shortestPrefix {
		for _, candidate := range known {
			if strings.HasPrefix(candidate, name) {
				near = append(near, candidate)
			}
		}
	}
	if len(near) > 0 {
		return strings.Join(near, " or ")
	}
	one, _ := markers.Nearest(name, known)
	return one
}

// find returns the index of a name, or an error that suggests another one.
func find(noun, name, hint string, known []string) (int, error) {
	i := slices.Index(known, name)
	switch near := suggest(name, known); {
	case i >= 0:
		return i, nil
	case near != "":
		return 0, fmt.Errorf("there is no %s %s: did you mean %s?", noun, settings.Printable(name), near)
	}
	return 0, fmt.Errorf("there is no %s %s: %s", noun, settings.Printable(name), hint)
}

// A flagElsewhere is what to write in place of a flag of other tools: a flag, or a command for all that have none.
type flagElsewhere struct{ flag, instead string }

// otherTools are flags that people know from other tools.
var otherTools = map[string]flagElsewhere{
	"baseline": {"write-baseline", "lint.baseline in mrgen.yaml, and run mrgen lint --write-baseline"},
	"check":    {"", "mrgen verify"},
	"dry-run":  {diffFlag, "--" + diffFlag},
	"fix":      {"", "mrgen fix lint"},
	"format":   {"output", "--output"},
	"json":     {"output", "--output=json"},
	"rule":     {"write-baseline", "lint.rules in mrgen.yaml, or run mrgen fix lint --rule"},
}

// controllerGen are the arguments of controller-gen, each with a remedy. The first that an argument begins with counts.
var controllerGen = []struct{ argument, remedy string }{
	{"paths", "write the pattern alone, such as ./apis/..."},
	{"output:", "write --" + crdDirFlag + "=FOLDER"},
	{"object:headerFile", "write --header-file=FILE"},
	{"crd:maxDescLen", "write --" + maxDescriptionFlag + "=LENGTH"},
	{"crd:allowDangerousTypes", "write --" + dangerousFlag},
	{"crd", "leave it out, since mrgen makes CRDs anyway"},
	{"object", "leave it out, since mrgen makes deep copies anyway"},
	{"rbac", "keep controller-gen for it, since mrgen makes no roles"},
	{"webhook", "keep controller-gen for it, since mrgen makes no webhooks"},
}

// controllerGenArgument returns an error for an argument that only controller-gen takes, or nil.
func controllerGenArgument(argument string) error {
	for _, c := range controllerGen {
		rest, found := strings.CutPrefix(argument, c.argument)
		if found && (rest == "" || strings.HasSuffix(c.argument, ":") || strings.ContainsAny(rest[:1], ":=,")) {
			return fmt.Errorf("%s is an argument of controller-gen, whose commands mrgen adopt translates: %s", argument, c.remedy)
		}
	}
	return nil
}

// exists reports whether a command has the flag.
func (f flagElsewhere) exists(cmd *cobra.Command) bool {
	return f.flag == "" || cmd.Flags().Lookup(f.flag) != nil
}

// flagError rewords pflag's errors, and suggests a flag for one that does not exist.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	if args := cmd.Flags().Args(); len(args) > 0 && !cmd.HasParent() { // it takes no arguments: the flag is that command's
		return onlyCommands(cmd, args)
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "": // a name of one letter resembles every other one
		if instead := settings.Removed(unknown.GetSpecifiedName()); instead != "" {
			return fmt.Errorf("--%s was removed: %s", unknown.GetSpecifiedName(), instead)
		}
		if other, isKnown := otherTools[unknown.GetSpecifiedName()]; isKnown && other.exists(cmd) {
			return fmt.Errorf("unknown flag --%s: write %s", unknown.GetSpecifiedName(), other.instead)
		}
		if near := suggest("--"+unknown.GetSpecifiedName(), known); near != "" {
			return fmt.Errorf("unknown flag --%s: did you mean %s?", unknown.GetSpecifiedName(), near)
		}
		if err := controllerGenArgument(unknown.GetSpecifiedName()); err != nil {
			return err
		}
		if cmd.HasParent() && cmd.HasSubCommands() {
			return fmt.Errorf("unknown flag --%s: write the command of %s before it", unknown.GetSpecifiedName(), cmd.CommandPath())
		}
		return fmt.Errorf("unknown flag --%s", unknown.GetSpecifiedName())
	case errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "bool":
		return fmt.Errorf("--%s must be true or false, not %q", invalid.GetFlag().Name, invalid.GetValue())
	case errors.As(err, &invalid):
		return fmt.Errorf("--%s %w, not %q", invalid.GetFlag().Name, invalid.Unwrap(), invalid.GetValue())
	case unknown != nil: // perhaps a name after one dash, whose first letters may be flags
		short, _, _ := strings.Cut(unknown.GetSpecifiedShortnames(), "=")
		for _, name := range known {
			if len(short) > 1 && strings.HasSuffix(name, short) {
				return fmt.Errorf("unknown flag %s: write %s", strings.TrimPrefix(name, "-"), name)
			}
		}
	}
	return err
}
