package scaffolding

// What all kinds have in common is an API that is simulated.
const (
	simulatedDir  = "internal/simulated"
	simulatedFile = simulatedDir + "/simulated.go"
)

// SimulatedImport returns the path of its package.
func (d kindData) SimulatedImport() string { return d.Module + "/" + simulatedDir }
