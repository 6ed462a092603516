package functions

import (
	"encoding/base64"
	"encoding/hex"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Format accepts texts with a format, by the name that the API server knows, without dashes. It accepts nothing that
// the API server doesn't.
func Format(name string) Check {
	return func(value any) bool {
		text, isText := value.(string)
		return isText && hasFormat(name, text)
	}
}

func hasFormat(name, text string) bool {
	var err error
	switch name {
	case "byte":
		if text == "" || strings.ContainsAny(text, "\r\n") {
			return false // Go decodes them, the API server doesn't
		}
		_, err = base64.StdEncoding.DecodeString(text)
	case "cidr":
		_, err = netip.ParsePrefix(text)
	case "date":
		_, err = time.Parse(time.DateOnly, text)
	case "datetime":
		_, err = time.Parse(time.RFC3339, text)
	case "duration":
		_, err = time.ParseDuration(text)
	case "ipv4":
		address, _ := netip.ParseAddr(text)
		return address.Is4()
	case "ipv6":
		address, _ := netip.ParseAddr(text)
		return address.Is6() && address.Zone() == ""
	case "mac":
		_, err = net.ParseMAC(text)
	case "uri":
		_, err = url.ParseRequestURI(text)
	case "uuid":
		groups := strings.Split(text, "-")
		for i, digits := range []int{8, 4, 4, 4, 12} {
			if len(groups) != 5 || len(groups[i]) != digits {
				return false
			}
		}
		_, err = hex.DecodeString(strings.Join(groups, ""))
	default:
		return false
	}
	return err == nil
}
