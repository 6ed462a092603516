// Package packages has Crossplane's own code judge what mrgen says of packages.
package packages
