package fromsdk

import (
	"go/types"
	"slices"
)

// An etag is a text beside the object in an answer, usually an ETag, which later requests send back.
type etag struct{ seen, sent *source }

// An ETag is one as the controller keeps it: its type, and the names of the fields that an answer and requests have.
type ETag struct {
	Type, Seen, Sent string
}

// findETag finds the field that updates and deletions take and neither creation nor the object has, if one field alone is beside the
// object in the answer. The author decides whether the one is the other.
func (r *reader) findETag(c *calls) {
	isAnswer := len(c.getObject) == 2 && !isList(c.getObject[1].Type())
	if !isAnswer || r.update == nil {
		return
	}
	var deletes []*source
	for _, v := range c.delete.params() {
		deletes = append(deletes, r.sources(v.Type())...)
	}
	isSent := func(s *source) bool {
		isKnown := s.isLike(c.own.taken) || c.parentOf(s) != nil || counterpart(r.sources(r.create), s) != nil || counterpart(r.sources(r.observe), s) != nil
		return s.isKey() && !isKnown && slices.ContainsFunc(deletes, s.isNamed)
	}
	sent := filter(r.sources(r.update), isSent)
	seen := filter(r.sources(c.getObject[0].Type()), (*source).isKey)
	if len(sent) == 1 && len(seen) == 1 && types.Identical(sent[0].v.Type(), seen[0].v.Type()) {
		c.etag = &etag{seen[0], sent[0]}
	}
}

// isETag reports whether a field of a request has the ETag.
func (c *calls) isETag(s *source) bool { return c.etag != nil && c.etag.sent.isNamed(s) }
