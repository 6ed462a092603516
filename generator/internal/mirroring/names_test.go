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

// otherSecrets are other names of secrets, in any spelling, otherPlain those of none, and namesOfReferences those of references to one.
const (
	otherSecrets = `adminPasswords administratorLoginPasswordWo dbpassword db_passwd rootPwd passcode pass passwordHash secrets secret-binary auth_token
	hECToken tokenValue gcmCredential awsCreds secretAccessKeys privateKeyContentBase64 tlsClientKey storageAccountKey webhookSigningKey`
	otherPlain = `secretId secretSize secretLabels tokenUrl tokenTtl tokenEndpoint accessTokenLifespan minimumPasswordLength credentialsARN accessKeyId
	awsAccessKeyID apiKeyIdRef sshKey encryptionKey kmsKey key author signingAlgorithm accessToken_url clientToken creationToken httpTokens vpcIdRef data
	value1`
	namesOfReferences = `secretRef adminCredentialsSecretRef pullSecretRefs passwordSecretKeyRef passwordRef apiKeyReference clientSecretSelector
	clientIdSecretRef`
)

// TestNames checks the list of words with names of SDKs, which add kind hides and lint reports as plain-secret, and with others, of
// fields in Go and in JSON.
func TestNames(t *testing.T) {
	secrets := strings.Fields(sdkSecrets)
	expect.Must(t, len(secrets) >= 60, "only %d names", len(secrets))
	for _, name := range secrets {
		secrets = append(secrets, strings.ToLower(name), strings.ToUpper(name))
	}
	for want, names := range map[Reason][]string{
		SecretName: append(secrets, strings.Fields(otherSecrets)...), SecretReference: strings.Fields(namesOfReferences), "": strings.Fields(sdkPlain + " " + otherPlain),
	} {
		for _, name := range names {
			for _, f := range []*model.Field{{Name: "X", JSONName: name, Type: text}, {Name: name, JSONName: "x", Type: text}} {
				expect.Equal(t, want, New(nil).Of(f), "a field %s with the JSON name %s is left out as", f.Name, f.JSONName)
			}
		}
	}
}
