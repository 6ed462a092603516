package mirroring

import (
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// sdkSecrets are fields for secrets in the SDKs of hcloud, linodego, govultr, godo, gitlab, go-github, aws, azure,
// google, gophercloud, cloudflare, okta, scaleway, exoscale and civo.
const sdkSecrets = `RootPass RootPassword root_pass AdminPass AdminPassword AdministratorLoginPassword DefaultPassword PrivateKey
	MasterUserPassword MasterPassword AuthToken AuthKey PreSharedKey PreSharedKey2 PSK AccessKey SecretKey SecretAccessKey
	SessionToken AccessToken RefreshToken ClientSecret client_secret HookToken Token ImportURLPassword RunnersToken Secret
	WebhookSecret AuthorizationHeader APIKey ApiKey APIToken api_token SASToken ConnectionString PrimaryConnectionString PrivateKeyPEM
	PrivateKeyData CertificatePrivateKey tls_private_key SSHPrivateKey KubeConfig Kubeconfig KubeConfigRaw UserPasswords
	Credentials Passphrase PASSWORD Password1 BMCPassword ipmi_password StackScriptPw VNCPassword VncPwd PasswordWo
	TokenSecret SharedSecret SharedKey SecretString SecretBinary HmacKey MasterKey SigningKey AccountKey StorageKey Keytab`

// sdkPlain are fields of the same SDKs that end or begin like a secret.
const sdkPlain = `TokenID TokenType KeyName KeyID KmsKeyId SSHKeys SSHKeyIDs AuthorizedKeys PublicKey PasswordPolicy PasswordLastUsed
	SecretName SecretArn NextToken NextPageToken ContinuationToken ClientRequestToken IdempotencyToken Bypass BypassActors Compass
	RotationPeriod Name PrimaryKey PartitionKey SortKey CredentialType`

// TestSecretsOfSDKs checks the list of words with names of SDKs, which add kind hides and lint reports as plain-secret.
func TestSecretsOfSDKs(t *testing.T) {
	secrets := strings.Fields(sdkSecrets)
	if len(secrets) < 60 {
		t.Fatalf("only %d names", len(secrets))
	}
	text := &model.Type{Kind: model.Basic, Basic: "string"}
	of := func(name string) Reason { return New(nil).Of(&model.Field{Name: name, JSONName: name, Type: text}) }
	for _, name := range secrets {
		for _, spelled := range []string{name, strings.ToLower(name), strings.ToUpper(name)} {
			if of(spelled) != SecretName {
				t.Errorf("%s is not a secret", spelled)
			}
		}
	}
	for _, name := range strings.Fields(sdkPlain) {
		expect.Equal(t, Reason(""), of(name), "%s", name)
	}
}
