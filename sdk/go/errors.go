package settlement

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Fault is an invalid field of a request.
type Fault struct {
	// Where it is: /source_amount, or body.phone
	At string
	// What is wrong, as a word
	Code string
	// What is wrong, as a sentence
	Message string
}

// Refused means that the service refused the request. Code says why, and may be unknown to this version: treat that by
// its Status.
type Refused struct {
	// The HTTP status
	Status int
	// Why, as one of the codes of the documentation
	Code ErrorCode
	// Why, as a sentence
	Detail string
	// The request's id. Name it when you ask the operator
	RequestID string
	// How long to wait before another attempt. Nil if the service did not say
	RetryAfter *time.Duration
	// The invalid fields, with status 422
	Faults []Fault
	// The whole answer by its members, such as server_time, current_destination_amount, settlement_status
	Members map[string]json.RawMessage
}

// Error returns status, code, detail and faults.
func (r *Refused) Error() string {
	text := fmt.Sprintf("%d %s: %s", r.Status, r.Code, r.Detail)
	places := make([]string, 0, len(r.Faults))
	for _, one := range r.Faults {
		if one.Message == r.Detail {
			places = append(places, one.At)
		} else {
			places = append(places, one.At+": "+one.Message)
		}
	}
	if len(places) > 0 {
		text += " (" + strings.Join(places, "; ") + ")"
	}
	return text
}

// Member reads a member of the answer, and returns whether it is there.
func (r *Refused) Member(name string, into any) bool {
	text, found := r.Members[name]
	return found && json.Unmarshal(text, into) == nil
}

// IsRefused returns whether the service refused the request with that code.
func IsRefused(err error, code ErrorCode) bool {
	var refused *Refused
	return errors.As(err, &refused) && refused.Code == code
}

// Unanswered means that no answer came after all attempts: it is unknown whether anything happened. Repeating the call
// is safe.
type Unanswered struct {
	// The call, such as POST /api/v1/settlements
	Call string
	// What happened to the last attempt
	Cause error
}

// Error returns the call and the cause.
func (u *Unanswered) Error() string { return u.Call + ": no answer: " + u.Cause.Error() }

// Unwrap returns the cause.
func (u *Unanswered) Unwrap() error { return u.Cause }

// NotTerminal means that something has not ended in the given time, or never will by itself.
type NotTerminal struct {
	// Why the wait is over
	Why string
	// The last state: a *Settlement, *Batch, *Member and so on
	Last any
}

// Error returns why the wait is over.
func (n *NotTerminal) Error() string { return n.Why }

// CallbackRefused is a callback or an event that is not genuine. Answer it with 400, and do nothing else.
type CallbackRefused struct{ Why string }

// Error returns why it is not genuine.
func (c *CallbackRefused) Error() string { return c.Why }

// ProofRefused is a proof that is not genuine.
type ProofRefused struct{ Why string }

// Error returns why it is not genuine.
func (p *ProofRefused) Error() string { return p.Why }

// refusalOf reads the errors of both surfaces.
func refusalOf(status int, header http.Header, body []byte) *Refused {
	refused := &Refused{Status: status, RequestID: header.Get("X-Request-Id"), RetryAfter: seconds(header.Get("Retry-After"))}
	if json.Unmarshal(body, &refused.Members) != nil {
		refused.Members = nil
	}
	var errors []struct{ Pointer, Parameter, Code, Message string }
	var details []struct {
		Loc       []any
		Type, Msg string
	}
	if refused.Member("errors", &errors) {
		for _, one := range errors {
			refused.Faults = append(refused.Faults, Fault{one.Pointer + one.Parameter, one.Code, one.Message})
		}
	} else if refused.Member("detail", &details) {
		for _, one := range details {
			places := make([]string, 0, len(one.Loc))
			for _, place := range one.Loc {
				places = append(places, fmt.Sprint(place))
			}
			refused.Faults = append(refused.Faults, Fault{strings.Join(places, "."), one.Type, one.Msg})
		}
	}
	refused.Code = "unknown"
	if status == http.StatusUnprocessableEntity {
		refused.Code = "validation_failed"
	}
	refused.Member("code", &refused.Code)
	if !refused.Member("detail", &refused.Detail) {
		refused.Detail = fmt.Sprintf("The service answered %d.", status)
		if len(refused.Faults) > 0 {
			refused.Detail = refused.Faults[0].Message
		}
	}
	return refused
}

func seconds(text string) *time.Duration {
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || number < 0 {
		return nil
	}
	return Pointer(time.Duration(number * float64(time.Second)))
}
