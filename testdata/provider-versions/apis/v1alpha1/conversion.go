package v1alpha1

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const day = 24 * time.Hour

// lifetimeTo returns a number of days as the lifetime of newer versions.
func lifetimeTo(days int64) *metav1.Duration {
	if days <= 0 || days > 100_000 {
		return nil
	}
	return &metav1.Duration{Duration: time.Duration(days) * day}
}

// lifetimeFrom returns the lifetime of newer versions in days.
func lifetimeFrom(lifetime *metav1.Duration) int64 {
	if lifetime == nil {
		return 0
	}
	return int64(lifetime.Duration / day)
}
