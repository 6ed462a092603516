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

// IsBase64 reports whether a text is base64, as the format byte demands.
func IsBase64(text string) bool {
	_, err := base64.StdEncoding.DecodeString(text)
	return err == nil && text != "" && !strings.ContainsAny(text, "\r\n")
}

// IsCIDR reports whether a text is a range of IP addresses.
func IsCIDR(text string) bool {
	_, err := netip.ParsePrefix(text)
	return err == nil
}

// IsDate reports whether a text is a date.
func IsDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// IsDateTime reports whether a text is a date with a time and a time zone.
func IsDateTime(text string) bool {
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}

// IsDuration reports whether a text is a duration.
func IsDuration(text string) bool {
	_, err := time.ParseDuration(text)
	return err == nil
}

// IsIPv4 reports whether a text is an IPv4 address.
func IsIPv4(text string) bool {
	address, err := netip.ParseAddr(text)
	return err == nil && address.Is4()
}

// IsIPv6 reports whether a text is an IPv6 address without a zone.
func IsIPv6(text string) bool {
	address, err := netip.ParseAddr(text)
	return err == nil && address.Is6() && address.Zone() == ""
}

// IsMAC reports whether a text is a hardware address.
func IsMAC(text string) bool {
	_, err := net.ParseMAC(text)
	return err == nil
}

// IsURI reports whether a text is an absolute URI, or an absolute path.
func IsURI(text string) bool {
	_, err := url.ParseRequestURI(text)
	return err == nil
}

// IsUUID reports whether a text is a UUID.
func IsUUID(text string) bool {
	digits := strings.ReplaceAll(text, "-", "")
	_, err := hex.DecodeString(digits)
	return err == nil && len(digits) == 32 && len(text) == 36 &&
		text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-'
}
