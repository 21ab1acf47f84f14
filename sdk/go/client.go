package settlement

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options say which service, and whose program. BaseURL, APIKey and APISecret are required.
type Options struct {
	// The service's address, such as https://api.example.com
	BaseURL string
	// Your API key and its secret
	APIKey, APISecret string
	// The word in the names of the signing headers. The default is Service
	Brand string
	// How long one attempt may take. The default is 35 s: longer than the service ever takes, so that it is the service
	// that gives up first
	Timeout time.Duration
	// The most attempts of a call. The default is 4
	Attempts int
	// The longest wait before another attempt. A refusal that asks for a longer one is returned instead. The default is
	// 20 s
	LongestWait time.Duration
	// What sends the requests. The default has the settings of http.DefaultTransport. No redirect is followed
	HTTPClient *http.Client
}

// New returns a client, or an error for options that no call could be made with.
func New(options Options) (*Client, error) {
	for name, value := range map[string]string{"BaseURL": options.BaseURL, "APIKey": options.APIKey, "APISecret": options.APISecret} {
		if value == "" {
			return nil, fmt.Errorf("%s is missing", name)
		}
	}
	base, err := url.Parse(strings.TrimRight(options.BaseURL, "/"))
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" || base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("BaseURL is the service's address, such as https://api.example.com, not %q", options.BaseURL)
	}
	if strings.HasSuffix(base.Path, "/api/v1") {
		return nil, errors.New("BaseURL ends before /api/v1: the client adds each operation's path")
	}
	if options.Timeout < 0 || options.Attempts < 0 || options.LongestWait < 0 {
		return nil, errors.New("Timeout, Attempts and LongestWait are not negative")
	}
	fill(&options.Brand, "Service")
	fill(&options.Timeout, 35*time.Second)
	fill(&options.Attempts, 4)
	fill(&options.LongestWait, 20*time.Second)
	sending := http.Client{}
	if options.HTTPClient != nil {
		sending = *options.HTTPClient
	}
	sending.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return clientOf(&sender{options: options, base: base, http: &sending}), nil
}

func fill[T comparable](value *T, usual T) {
	var zero T
	if *value == zero {
		*value = usual
	}
}

// Request is a call of an operation that this version has no method for.
type Request struct {
	// GET, POST, PUT, PATCH or DELETE
	Method string
	// Such as /api/v1/settlements
	Path string
	// In the order of Encode
	Query url.Values
	// What is sent as JSON. Nil: nothing
	Body any
	// Makes a repeat of a POST the same call. Empty: its attempts share a new key
	Intent string
}

// Call makes a call by method and path, and reads the answer into a pointer, unless that is nil.
func (c *Client) Call(ctx context.Context, request Request, into any) error {
	asked := call{surface: "partner", method: request.Method, path: request.Path, body: request.Body}
	if strings.HasPrefix(request.Path, "/api/v1/") {
		asked.surface = "settlement"
	}
	for name, values := range request.Query {
		for _, value := range values {
			asked.query = append(asked.query, pair{name, value})
		}
	}
	if request.Intent != "" {
		asked.intent = &request.Intent
	}
	answer, err := c.sender.send(ctx, asked)
	if err != nil || into == nil || len(answer.body) == 0 {
		return err
	}
	return json.Unmarshal(answer.body, into)
}
