package settlement

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// got is a request as it came.
type got struct {
	method, target string
	header         http.Header
	body           []byte
}

type step func(http.ResponseWriter, *http.Request)

// served is a service that goes from step to step, and stays at the last.
type served struct {
	client   *Client
	lock     sync.Mutex
	requests []got
}

func (s *served) all() []got {
	s.lock.Lock()
	defer s.lock.Unlock()
	return append([]got(nil), s.requests...)
}

func serve(t *testing.T, options Options, steps ...step) *served {
	t.Helper()
	s := &served{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.lock.Lock()
		s.requests = append(s.requests, got{r.Method, r.RequestURI, r.Header, body})
		at := len(s.requests) - 1
		s.lock.Unlock()
		if at >= len(steps) {
			at = len(steps) - 1
		}
		steps[at](w, r)
	}))
	t.Cleanup(server.Close)
	options.BaseURL, options.APIKey, options.APISecret = server.URL+"/", "key_1", "sec_1"
	client, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	s.client = client
	return s
}

func answering(status int, body string, header ...string) step {
	return func(w http.ResponseWriter, _ *http.Request) {
		for at := 0; at < len(header); at += 2 {
			w.Header().Set(header[at], header[at+1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func problem(status int, code string, more string, header ...string) step {
	text := `{"status":` + strconv.Itoa(status) + `,"code":"` + code + `","detail":"It is ` + code + `."` + more + `}`
	return answering(status, text, header...)
}

// hangUp reads the request and closes the connection: its answer is lost.
func hangUp(w http.ResponseWriter, _ *http.Request) {
	connection, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		connection.Close()
	}
}

// readJSON reads a file of the project.
func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile("../../" + path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, found, wanted T) {
	t.Helper()
	if found != wanted {
		t.Fatalf("found %v, wanted %v", found, wanted)
	}
}

func contains(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Fatalf("found error %v, wanted one with %q", err, text)
	}
}

// different returns how many different values a header had.
func different(requests []got, name string) int {
	values := map[string]bool{}
	for _, one := range requests {
		values[one.header.Get(name)] = true
	}
	return len(values)
}

func ok[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func at(moment time.Time) string { return moment.UTC().Format("2006-01-02T15:04:05.000Z") }
