package generator

import "context"

// Stale returns the folders that a run would look at, since something has changed in
// them; all is set if it would look at everything.
func Stale(ctx context.Context, options Options) (all bool, folders []string) {
	v := openMemory(ctx, options).verdict
	return v.All, v.Stale
}
