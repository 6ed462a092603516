package lateinit

import "github.com/dave/jennifer/jen"

// help returns a call of a function of the package that the stage helpers writes.
func (w *pairWriter) help(name string, arguments ...jen.Code) *jen.Statement {
	return w.Helper(name).Call(arguments...)
}
