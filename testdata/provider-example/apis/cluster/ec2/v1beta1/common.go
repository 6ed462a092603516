package v1beta1

// A Tag identifies an AWS resource.
type Tag struct {
	// Key is the name of the tag.
	Key string `json:"key"`

	// Value is the value of the tag.
	Value string `json:"value"`
}
