package synthetic

import "math"

// The numbers in this file were measured on four providers that upjet generated, in August
// 2026: provider-upjet-aws, -azure, -azuread and -gcp. They have 5,081 files of types, of
// 4,480 managed kinds in 722 API groups, where those of two scopes count twice. Kinds have
// long tails: half of them have 12 fields or less, one in a hundred has 235 or more.
//
// These providers, and the provider of 2,000 kinds that is made up after them:
//
//	                                              real    made up
//	kB of a file of types, mean                   21.5    22.5
//	            median, 99th percentile, most     11.2, 190, 515    12.5, 159, 518
//	fields below forProvider, mean                25.3    26.4
//	            median, 99th percentile, most     12, 235, 724    12, 212, 685
//	structs of a file of types, mean              20.2    18.3
//	references of a file of types, mean           3.0    2.7
//	kinds of a package, mean, most                5.3, 119    5.1, 71
//	files of types a kind                         1.13    1.14
//	kB of Go source a kind, mean                  29.7    31.0
//
// What is not made up after them: upjet itself, which real ones import, with several hundred
// packages. Others that providers need anyway stand in for it.

// A distribution is a list of shares, which grow from 0 to 1, with the value that so much
// of all lies below.
type distribution []struct{ share, value float64 }

var (
	// kindsPerGroup are the kinds of a group in a scope.
	kindsPerGroup = distribution{{0, 1}, {0.1, 1}, {0.25, 2}, {0.5, 3}, {0.75, 7}, {0.9, 13}, {0.95, 18}, {0.99, 43}, {1, 119}}
	// fieldsPerKind are those of all structs below forProvider. Kinds with two versions count
	// once here, not twice, and have more fields than others.
	fieldsPerKind = distribution{{0, 1}, {0.05, 4}, {0.1, 5}, {0.25, 6}, {0.5, 10}, {0.75, 19}, {0.9, 44}, {0.95, 80}, {0.99, 215}, {1, 724}}
	// fieldsPerBlock are those of a struct below the one of forProvider.
	fieldsPerBlock = distribution{{0, 1}, {0.25, 2}, {0.5, 3}, {0.75, 5}, {0.9, 8}, {0.95, 12}, {0.99, 24}, {1, 92}}
	// referencesPerKind are those in forProvider, at any depth.
	referencesPerKind = distribution{{0, 0}, {0.25, 0}, {0.5, 1}, {0.75, 2}, {0.9, 3}, {0.95, 4.5}, {0.99, 8}, {1, 40}}
	// requiredPerKind are the fields that a CEL rule requires, unless initProvider has them.
	requiredPerKind = distribution{{0, 0}, {0.25, 0}, {0.5, 1}, {0.75, 2}, {0.9, 3}, {0.95, 4}, {0.99, 6}, {1, 16}}
	// docBytes is the length of what is said about a field, markers left out.
	docBytes = distribution{{0, 8}, {0.05, 21}, {0.1, 31}, {0.25, 52}, {0.5, 91}, {0.75, 147}, {0.9, 220}, {0.95, 292}, {0.99, 507}, {1, 1500}}
)

// at returns the value that a share of all lies below. Between two measured ones it grows
// by the same factor for the same share, as the long tail does.
func (d distribution) at(share float64) float64 {
	for i := 1; i < len(d); i++ {
		if low, high := d[i-1], d[i]; share <= high.share {
			part := (share - low.share) / (high.share - low.share)
			return (low.value+1)*math.Pow((high.value+1)/(low.value+1), part) - 1
		}
	}
	return d[len(d)-1].value
}

// whole returns the value as a whole number.
func (d distribution) whole(share float64) int { return int(math.Round(d.at(share))) }

// spread returns numbers between 0 and 1, one for each position, that lie evenly however
// many there are: so that any provider, large or small, has the distribution, and not
// what chance makes of it. The step is irrational.
func spread(position int, step float64) float64 {
	_, share := math.Modf(float64(position+1) * step)
	return share
}

const (
	golden = 0.6180339887498949
	silver = 0.41421356237309515
)

// The types of fields that are no structs and no references, in thousandths.
var attributeTypes = []struct {
	thousandths int
	goType      string
}{
	{594, "*string"}, {125, "*float64"}, {122, "*bool"}, {89, "[]*string"}, {46, "map[string]*string"}, {3, "[]*float64"}, {21, secretType},
}

// secretType stands for the selector of a key of a secret, whose type is the scope's.
const secretType = "secret"

const (
	// blocksInLists is the share of lists among the structs below forProvider.
	blocksInLists = 0.43
	// referencesInLists are those that many values are taken from; referencesAtHome those to
	// kinds of the own group; referencesExtract those with an extractor.
	referencesInLists = 0.08
	referencesAtHome  = 0.5
	referencesExtract = 0.61
	// listsThatAreSets have a marker that says so.
	listsThatAreSets = 0.47
	// commentsOfLines have more than one.
	commentsOfLines = 0.15
	// kindsOfTwoVersions is the share among kinds with structs below forProvider: a quarter of
	// all kinds, in the cluster scope alone.
	kindsOfTwoVersions = 0.54
)

// topFields returns how many of a kind's fields are at the top of forProvider: all of few,
// half of 24, and a tenth of 700.
func topFields(fields int) int {
	return min(fields, int(1+math.Round(2.4*math.Pow(float64(fields), 0.52))))
}
