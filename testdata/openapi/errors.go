package hooks

import (
	"fmt"
	"net/http"
)

// A StatusError is an answer with the status of an error.
type StatusError struct{ StatusCode int }

// Error returns the status.
func (e *StatusError) Error() string {
	return fmt.Sprintf("the API answers with status %d", e.StatusCode)
}

// Checked sends requests, and returns a StatusError for answers with the status of an error.
type Checked struct{ http.Client }

// Do implements HttpRequestDoer.
func (c *Checked) Do(request *http.Request) (*http.Response, error) {
	answer, err := c.Client.Do(request)
	if err != nil || answer.StatusCode < http.StatusBadRequest {
		return answer, err
	}
	_ = answer.Body.Close()
	return nil, &StatusError{answer.StatusCode}
}
