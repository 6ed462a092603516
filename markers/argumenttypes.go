package markers

// An ArgumentTypeDoc says how a value of a type is written.
type ArgumentTypeDoc struct {
	Type ArgumentType `json:"type"`
	Doc  string       `json:"doc"`
}

// argumentTypeDocs are in the order of the constants.
var argumentTypeDocs = []ArgumentTypeDoc{
	{Boolean, "true or false."},
	{Choice, "One of the listed words."},
	{Text, "Text that is not empty, in double quotes or backquotes as in Go. " +
		"It needs no quotes if it holds no space, comma or quote."},
	{Line, "The rest of the line, with quotes if there are any."},
	{SecretKey, "The key of a Kubernetes Secret: at most 253 letters, digits, hyphens, dots and underscores."},
	{SecretKeyPattern, "The key of a Kubernetes Secret with one asterisk, which stands for any text."},
	{GoType, "The name of a Go type such as VPC, or example.org/apis/ec2.VPC if it is in another package."},
	{GoCall, `The call of a Go function with literals or constants, such as SubnetARN() or example.org/apis/ec2.Attribute("id", true).`},
	{GoField, "The Go name of a field of the struct that the marker is in."},
	{GoIdentifier, "A Go name, without a package."},
	{JSONPath, "The JSON name of a field, or several with dots between them, after a version and a colon if it is that of one version."},
	{JSONFields, "The JSON names of two or more fields of the struct, separated by semicolons, such as a;b."},
}
