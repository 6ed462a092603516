package scaffolding

// What all kinds have in common is an API that is simulated.
const (
	simulatedDir  = "internal/simulated"
	simulatedFile = simulatedDir + "/simulated.go"
	// objectsFile has the API of the objects of an SDK.
	objectsFile = simulatedDir + "/objects.go"
)

// SimulatedImport returns the path of its package.
func (d kindData) SimulatedImport() string { return d.Module + "/" + simulatedDir }
