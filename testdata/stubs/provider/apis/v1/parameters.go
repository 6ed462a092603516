package v1

// BucketParameters are replaced by tests.
type BucketParameters struct {
	Region string `json:"region"`
}
