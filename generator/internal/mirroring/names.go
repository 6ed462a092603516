package mirroring

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// secretWords are the endings of names of secrets, in the singular and in the form of [compact]. The list
// follows the APIs of Crossplane providers: it has a word if most fields with that ending hold a secret.
var secretWords = []string{
	"accesskey", "accountkey", "apikey", "authkey", "authorizationheader", "clientkey", "connectionstring", "cred", "credential", "hmackey",
	"jwt", "keymaterial", "keytab", "kubeconfig", "masterkey", "pass", "passcode", "passphrase", "passwd", "password", "privatekey", "privkey",
	"psk", "pw", "pwd", "secret", "secretkey", "sharedkey", "signingkey", "sslkey", "storagekey", "tlskey", "token",
}

// notSecretWords are exceptions: tokens for idempotency, for the next page, or of a protocol, and words that merely end so.
var notSecretWords = []string{
	"bypass", "clienttoken", "compass", "clientrequesttoken", "continuationtoken", "creationtoken", "httptoken", "idempotencytoken",
	"locktoken",
	"nexttoken", "pagetoken",
}

// forms are words for the encoding of a secret, which may follow its name.
var forms = []string{
	"base64", "b64", "binary", "byte", "content", "data", "encoded", "hash", "hex", "pem", "plain", "raw", "string", "text", "value", "wo",
}

// referenceWords are the endings of names of references, in the singular.
var referenceWords = []string{"ref", "reference", "selector"}

// compact returns a name in lower case and without separators.
func compact(name string) string { return strings.ToLower(separators.Replace(name)) }

var separators = strings.NewReplacer("_", "", "-", "")

// isSecretName reports whether a compact name has the ending of a secret, ignoring digits, a plural s and a
// form after it.
func isSecretName(name string) bool {
	for name != "" {
		if endsIn(name, secretWords) {
			return !endsIn(name, notSecretWords)
		}
		shorter := strings.TrimRight(name, "0123456789")
		// passwordBase64 ends in password, without its form.
		if i := slices.IndexFunc(forms, func(form string) bool { return hasEnding(name, form) }); i >= 0 {
			shorter = strings.TrimSuffix(strings.TrimSuffix(name, "s"), forms[i])
		}
		if shorter == name {
			break
		}
		name = shorter
	}
	return false
}

// isSecretReference reports whether a compact name has the ending of a reference to a secret, such as secretRef
// or secretKeySelector.
func isSecretReference(name string) bool {
	to := referent(name)
	return strings.HasSuffix(to, "secret") || strings.HasSuffix(to, "secretkey")
}

// referent returns a compact name without the ending of a reference, or "" without such an ending.
func referent(name string) string {
	for _, word := range referenceWords {
		if hasEnding(name, word) {
			return strings.TrimSuffix(strings.TrimSuffix(name, "s"), word)
		}
	}
	return ""
}

// hasEnding reports whether a compact name ends in a word, in the singular or plural.
func hasEnding(name, word string) bool {
	return strings.HasSuffix(name, word) || strings.HasSuffix(name, word+"s")
}

func endsIn(name string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return hasEnding(name, word) })
}

// isNamedLikeSecret reports whether the field is named like a secret, in Go or in JSON.
func isNamedLikeSecret(f *model.Field) bool {
	return isSecretName(compact(f.Name)) || isSecretName(compact(f.JSONName))
}

// refersToSecret reports whether the field is named like a reference to a secret, in Go or in JSON, such as
// adminSecretRef or passwordRef.
func refersToSecret(f *model.Field) bool {
	return slices.ContainsFunc([]string{f.Name, f.JSONName}, func(name string) bool {
		return isSecretName(referent(compact(name)))
	})
}
