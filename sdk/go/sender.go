package settlement

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const firstWait = 250 * time.Millisecond

// pair is a member of a query. An empty value is not sent.
type pair struct{ name, value string }

// call is an operation with what it is given.
type call struct {
	// settlement, partner or open
	surface, method, path string
	// For the places of path, in their order
	params []string
	query  []pair
	body   any
	// The purpose in the caller's own words, which the idempotency key is derived from
	intent *string
}

type answer struct {
	header http.Header
	body   []byte
}

// sender sends calls. It remembers how far the service's clock is ahead; nothing else is kept between calls.
type sender struct {
	options Options
	base    *url.URL
	http    *http.Client
	ahead   atomic.Int64
}

// now is the service's clock, according to its last refusal.
func (s *sender) now() time.Time {
	return time.Now().Add(time.Duration(s.ahead.Load()))
}

// send makes attempts until there is a final answer. Each is signed again; all share the body and the idempotency key.
func (s *sender) send(ctx context.Context, c call) (*answer, error) {
	path, err := expand(c.path, c.params)
	if err != nil {
		return nil, err
	}
	body, err := stable(c.body)
	if err != nil {
		return nil, err
	}
	key, err := keyOf(c, path)
	if err != nil {
		return nil, err
	}
	corrected := false
	for attempt := 1; ; attempt++ {
		pause := time.Duration(float64(firstWait<<(attempt-1)) * (0.5 + float64(random(1)[0])/256))
		found, refused, lost := s.attempt(ctx, c, path, body, key)
		switch {
		case ctx.Err() != nil && found == nil:
			return nil, ctx.Err()
		case lost != nil:
			err = &Unanswered{c.method + " " + path, lost}
		case refused == nil:
			return found, nil
		case refused.Code == "stale_timestamp" && !corrected:
			corrected = true
			if err := s.setClock(ctx, refused); err != nil {
				return nil, err
			}
			attempt--
			continue
		case !isRepeatable(refused):
			return nil, refused
		default:
			err = refused
			if refused.RetryAfter != nil {
				pause = *refused.RetryAfter
			}
		}
		if attempt >= s.options.Attempts || pause > s.options.LongestWait {
			return nil, err
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// attempt sends one request: the answer, a refusal, or why it is unknown whether it arrived.
func (s *sender) attempt(ctx context.Context, c call, path string, body []byte, key string) (*answer, *Refused, error) {
	ctx, cancel := context.WithTimeout(ctx, s.options.Timeout)
	defer cancel()
	target, err := url.Parse(s.base.String() + path)
	if err != nil {
		return nil, nil, err
	}
	target.RawQuery = encode(c.query)
	// A body that cannot be read twice: net/http must not repeat a request by itself, with a nonce that is used up.
	request, err := http.NewRequestWithContext(ctx, c.method, target.String(), io.NopCloser(bytes.NewReader(body)))
	if err != nil {
		return nil, nil, err
	}
	request.ContentLength = int64(len(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "settlement-sdk-go/"+Version)
	s.sign(request, c.surface, body, key)
	response, err := s.http.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, nil, err
	}
	if response.StatusCode >= 300 {
		return nil, refusalOf(response.StatusCode, response.Header, text), nil
	}
	return &answer{response.Header, text}, nil, nil
}

// sign signs what is sent: path and query as they are written on the wire.
func (s *sender) sign(request *http.Request, surface string, body []byte, key string) {
	if surface == "open" {
		return
	}
	if surface == "settlement" {
		request.Header.Set("Authorization", s.options.APIKey)
	} else {
		request.Header.Set("apiKey", s.options.APIKey)
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	timestamp := strconv.FormatInt(s.now().Unix(), 10)
	parts := SignedParts{timestamp, request.Method, request.URL.EscapedPath(), request.URL.RawQuery, body}
	prefix := "X-" + s.options.Brand + "-"
	request.Header.Set(prefix+"Timestamp", timestamp)
	request.Header.Set(prefix+"Nonce", newNonce())
	request.Header.Set(prefix+"Signature", SignRequest(s.options.APISecret, parts))
}

// setClock goes by the refusal's own word, else by /time.
func (s *sender) setClock(ctx context.Context, refused *Refused) error {
	var now time.Time
	if !refused.Member("server_time", &now) {
		clock, err := callOne[ServiceTime](ctx, s, call{surface: "open", method: "GET", path: "/time"})
		if err != nil {
			return err
		}
		now = clock.Now
	}
	s.ahead.Store(int64(time.Until(now)))
	return nil
}

func isRepeatable(refused *Refused) bool {
	switch refused.Status {
	case 408, 429, 500, 502, 503, 504:
		return true
	}
	return refused.Code == "idempotency_in_progress"
}

// keyOf is the same for each attempt of a POST. Without an intent a later call has another one, so that a stored refusal
// (approval_pending, for example) is not its answer for a day.
func keyOf(c call, path string) (string, error) {
	if c.intent != nil && *c.intent == "" {
		return "", errors.New("an intent says something")
	}
	if c.method != http.MethodPost || c.surface == "open" {
		return "", nil
	}
	reason := newNonce()
	if c.intent != nil {
		reason = *c.intent
	}
	sum := sha256.Sum256([]byte(path + "\n" + reason))
	return "sdk-" + hex.EncodeToString(sum[:]), nil
}

// stable returns the same bytes for the same value, in whatever order its members were written: a repeat must not differ.
func stable(body any) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	text, err := marshal(body)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var members any
	if err := decoder.Decode(&members); err != nil {
		return nil, err
	}
	return marshal(members)
}

func marshal(value any) ([]byte, error) {
	var written bytes.Buffer
	encoder := json.NewEncoder(&written)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(written.Bytes(), []byte("\n")), err
}

// expand puts ids into the places of a path, whatever is in them.
func expand(path string, params []string) (string, error) {
	for _, id := range params {
		if id == "" || id == "." || id == ".." {
			return "", fmt.Errorf("%q is no id", id)
		}
		open, end := strings.IndexByte(path, '{'), strings.IndexByte(path, '}')
		path = path[:open] + escape(id) + path[end+1:]
	}
	return path, nil
}

func encode(query []pair) string {
	var parts []string
	for _, one := range query {
		if one.value != "" {
			parts = append(parts, escape(one.name)+"="+escape(one.value))
		}
	}
	return strings.Join(parts, "&")
}

func escape(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}

// written is a value as the text of a query; a zero value is not sent.
func written[T ~string | int64 | time.Time](value T) string {
	switch given := any(value).(type) {
	case int64:
		if given == 0 {
			return ""
		}
		return strconv.FormatInt(given, 10)
	case time.Time:
		if given.IsZero() {
			return ""
		}
		return given.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	}
	return fmt.Sprint(value)
}

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
