package exclusion

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// secretWords are what the names of secrets end in, in the singular and as [compact]
// has it. The list follows the APIs of Crossplane providers: a word is on it if most
// fields whose names end so hold a secret.
var secretWords = []string{
	"accesskey", "accountkey", "apikey", "authkey", "clientkey", "connectionstring", "cred", "credential", "hmackey",
	"kubeconfig", "masterkey", "passcode", "passphrase", "passwd", "password", "privatekey", "psk", "pwd", "secret",
	"secretkey", "sharedkey", "signingkey", "sslkey", "tlskey", "token",
}

// notSecretWords are what other names end in: tokens that make requests idempotent,
// lead to the next page, or stand for the protocol.
var notSecretWords = []string{
	"clienttoken", "clientrequesttoken", "continuationtoken", "creationtoken", "httptoken", "idempotencytoken", "locktoken",
	"nexttoken", "pagetoken",
}

// forms are words that may follow, and say in what form a secret is written.
var forms = []string{
	"base64", "b64", "binary", "byte", "content", "data", "encoded", "hash", "hex", "pem", "plain", "raw", "string", "text", "value", "wo",
}

// referenceWords are what the names of references end in, in the singular.
var referenceWords = []string{"ref", "reference", "selector"}

// compact returns a name without what differs between ways to write it: case and
// separators.
func compact(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// isSecretName reports whether a compact name ends like that of a secret, digits, the
// plural and the form aside.
func isSecretName(name string) bool {
	for {
		if endsIn(name, secretWords) {
			return !endsIn(name, notSecretWords)
		}
		shorter := strings.TrimRight(name, "0123456789")
		if i := slices.IndexFunc(forms, func(form string) bool { return hasEnding(name, form) }); i >= 0 {
			shorter = strings.TrimSuffix(strings.TrimSuffix(name, "s"), forms[i])
		}
		if shorter == name {
			return false
		}
		name = shorter
	}
}

// isSecretReference reports whether a compact name ends like that of a reference to a
// secret: secretRef, secretKeySelector.
func isSecretReference(name string) bool {
	to, found := referent(name)
	return found && (strings.HasSuffix(to, "secret") || strings.HasSuffix(to, "secretkey"))
}

// referent returns what is left of a compact name without its end, if it is that of a
// reference.
func referent(name string) (to string, found bool) {
	for _, word := range referenceWords {
		if hasEnding(name, word) {
			return strings.TrimSuffix(strings.TrimSuffix(name, "s"), word), true
		}
	}
	return "", false
}

// hasEnding reports whether a compact name ends in a word, in the singular or plural.
func hasEnding(name, word string) bool {
	return strings.HasSuffix(name, word) || strings.HasSuffix(name, word+"s")
}

func endsIn(name string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return hasEnding(name, word) })
}

// isNamedLikeSecret reports whether a name of the field, in Go or in JSON, is like that
// of a secret.
func isNamedLikeSecret(f *model.Field) bool {
	return isSecretName(compact(f.Name)) || isSecretName(compact(f.JSONName))
}

// refersToSecret reports whether a name of the field is like that of a reference to a
// secret: adminSecretRef, passwordRef.
func refersToSecret(f *model.Field) bool {
	return slices.ContainsFunc([]string{f.Name, f.JSONName}, func(name string) bool {
		to, found := referent(compact(name))
		return found && isSecretName(to)
	})
}
