package functions

import "k8s.io/apimachinery/pkg/api/resource"

// SameQuantity reports whether two quantities are the same amount, in whatever
// form they are written.
func SameQuantity(desired, observed resource.Quantity) bool { return desired.Cmp(observed) == 0 }
