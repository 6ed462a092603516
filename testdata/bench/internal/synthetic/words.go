package synthetic

import (
	"math/rand/v2"
	"strings"
)

var services = []string{
	"network", "compute", "storage", "database", "identity", "messaging", "analytics", "container",
	"dns", "cdn", "cache", "queue", "search", "secrets", "monitoring", "logging",
	"backup", "batch", "billing", "build", "certificates", "directory", "events", "firewall",
	"functions", "gateway", "images", "keys", "mail", "media", "registry", "routing",
	"streaming", "tables", "transfer", "vault", "video", "warehouse", "workflow", "workspace",
}

var qualifiers = []string{
	"Access", "Base", "Client", "Data", "Edge", "Fast", "Global", "Health", "Internal", "Joint",
	"Linked", "Managed", "Native", "Origin", "Private", "Regional", "Shared", "Traffic", "User", "Virtual",
}

var resources = []string{
	"Account", "Bucket", "Cluster", "Domain", "Endpoint", "Function", "Group", "Host", "Instance", "Job",
	"Key", "Listener", "Model", "Node", "Object", "Pool", "Queue", "Route", "Subnet", "Topic",
}

var aspects = []string{
	"Allocation", "Backup", "Billing", "Capacity", "Connection", "Container", "Default", "Disk", "Encryption", "Event",
	"Failover", "Image", "Ingress", "Log", "Maintenance", "Memory", "Network", "Owner", "Peer", "Policy",
	"Primary", "Recovery", "Replica", "Request", "Retention", "Retry", "Scaling", "Schedule", "Session", "Snapshot",
	"Source", "Storage", "Target", "Transit", "Upgrade", "Volume", "Window", "Worker", "Zone", "Audit",
}

var properties = []string{
	"Address", "Class", "Code", "Description", "Duration", "Engine", "Family", "Filter", "Format", "Identifier",
	"Interval", "Label", "Level", "Limit", "Location", "Method", "Mode", "Number", "Path", "Pattern",
	"Period", "Phase", "Port", "Prefix", "Priority", "Protocol", "Rate", "Role", "Setting", "Size",
	"State", "Status", "Strategy", "Suffix", "Threshold", "Timeout", "Token", "Type", "Unit", "Value",
}

// sentences describe a field whose name in words takes the place of #.
var sentences = []string{
	"The # of this resource, as it is shown in the console and in the bill.",
	"The # that applies to new connections. Those that exist already are not changed.",
	"The #. If it is not set, the service chooses one that fits the size of the resource.",
	"The # in the format that the service documents. Upper case and lower case are told apart.",
	"The # of the resource. A change takes effect during the next maintenance window, or at once if changes are applied immediately.",
	"Specifies the #. You can change it at any time without an interruption.",
	"Specifies the #, for example to keep costs low in test environments. Contact the support of the service to have the limits of your account raised before you choose a high value.",
	"The # for requests that come from outside of the network. Requests from the inside are let through as they are.",
	"Determines the #. This is ignored unless the feature is enabled for the account, and must be left empty in regions that don't offer it.",
	"The #, which must be unique in its region.",
}

// words returns a Go name in lower case words.
func words(name string) string {
	var b strings.Builder
	for i, r := range name {
		upper := r >= 'A' && r <= 'Z'
		if upper && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

func sentence(random *rand.Rand, name string) string {
	return strings.ReplaceAll(pick(random, sentences), "#", words(name))
}

// comment wraps a text as a comment.
func comment(text string) string { return commentLines(wrap(text)) }

// commentLines returns lines as a comment.
func commentLines(lines string) string {
	return "// " + strings.ReplaceAll(lines, "\n", "\n// ") + "\n"
}

// wrap divides a text into lines.
func wrap(text string) string {
	var b strings.Builder
	width := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			width = 3
		case width+1+len(word) > 78:
			b.WriteByte('\n')
			width = 3
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += len(word)
	}
	return b.String()
}
