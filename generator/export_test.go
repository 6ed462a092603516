package generator

import "context"

// Stale returns the folders that a run would look at, since something has changed in
// them; all is set if it would look at everything.
func Stale(ctx context.Context, options Options) (all bool, folders []string) {
	v := openMemory(ctx, options).verdict
	return v.All, v.Stale
}

// Batches returns the folders of each batch that a run over everything would work on,
// none if it works on all of them together.
func Batches(ctx context.Context, options Options) [][]string {
	return openMemory(ctx, options).batches()
}

// SetBatchSize sets how many bytes of source are in a batch, and returns a function that
// takes it back.
func SetBatchSize(bytes int) (reset func()) {
	before := batchSize
	batchSize = bytes
	return func() { batchSize = before }
}
