package settlement

import (
	"crypto/ed25519"
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// mostPublic is how many signatures under public keys are checked: anyone without a secret can still send a header full
// of them.
const mostPublic = 8

// Verification says what a callback or an event is checked with. One valid signature is enough.
type Verification struct {
	// Your callback secrets (whsec_…), or those of an event destination: several during a rotation
	Secrets []string
	// Keys in the form whpk_…, instead of secrets or in addition
	PublicKeys []string
	// The keys that the service publishes for you: the answer of Client.PublicKeys with your partner id
	Published *PublicKeys
	// How far its time may be off. The default is 5 minutes
	Tolerance time.Duration
	// The present. The default is time.Now
	Now time.Time
}

// VerifiedCallback is a callback that is genuine.
type VerifiedCallback struct {
	// The same in every attempt: do not act on it twice
	ID string
	// settlement.executed, withdrawal.failed and so on
	Event string
	// By its event a *SettlementExecuted, *WithdrawalFailed and so on; a json.RawMessage if this version does not know
	// the event
	Body any
	// The body as it came
	Raw []byte
}

// VerifyCallback reads a callback of the service. Give it the raw bytes of the body, before anything parses them. A
// *CallbackRefused is not genuine, or an event: answer 400. Any other error is a mistake on your side, such as a missing
// secret: answer 500, and the callback comes again.
func VerifyCallback(header http.Header, body []byte, with Verification) (*VerifiedCallback, error) {
	id, err := with.verify(header, body)
	if err != nil {
		return nil, err
	}
	return callbackOf(id, body)
}

// VerifyEvent reads an event that an event destination was sent, under the destination's own secret. It fails as
// VerifyCallback does, and refuses a callback. An event can come again under the same ID: do not act on it twice.
func VerifyEvent(header http.Header, body []byte, with Verification) (*Event, error) {
	id, err := with.verify(header, body)
	if err != nil {
		return nil, err
	}
	event, err := read[Event](body)
	if err != nil || !isEvent(event.ID, string(event.Type)) || event.ID != id {
		return nil, &CallbackRefused{"it is a callback, and not an event"}
	}
	return event, nil
}

// Mirrored is what the other signature of a callback is checked with.
type Mirrored struct {
	// Your API secret
	APISecret string
	// The request's method and target, such as POST and /callbacks?shop=1
	Method, Target string
	// The word in the names of the signing headers. The default is Service
	Brand string
	// How far its time may be off. The default is 5 minutes
	Tolerance time.Duration
	// The present. The default is time.Now
	Now time.Time
}

// VerifyMirrored checks the other signature, in the manner of requests, for those who already check requests so. It
// fails as VerifyCallback does.
func VerifyMirrored(header http.Header, body []byte, with Mirrored) (*VerifiedCallback, error) {
	if with.APISecret == "" {
		return nil, errors.New("APISecret is missing")
	}
	fill(&with.Brand, "Service")
	timestamp, err := headerOf(header, "X-"+with.Brand+"-Timestamp")
	if err == nil {
		err = refuseOld(timestamp, with.Tolerance, with.Now)
	}
	if err != nil {
		return nil, err
	}
	path, query, _ := strings.Cut(with.Target, "?")
	wanted := SignRequest(with.APISecret, SignedParts{timestamp, with.Method, path, query, body})
	given, err := headerOf(header, "X-"+with.Brand+"-Signature")
	if err != nil {
		return nil, err
	}
	if !hmac.Equal([]byte(wanted), []byte(strings.ToLower(given))) {
		return nil, &CallbackRefused{"the signature does not fit"}
	}
	id, err := headerOf(header, "Webhook-Id")
	if err != nil {
		return nil, err
	}
	return callbackOf(id, body)
}

// verify returns the id of what was sent.
func (v Verification) verify(header http.Header, body []byte) (string, error) {
	secrets, err := secretsOf(v.Secrets)
	if err != nil {
		return "", err
	}
	keys, err := v.keys()
	if err != nil {
		return "", err
	}
	if len(secrets)+len(keys) == 0 {
		return "", errors.New("there is neither a callback secret nor a public key to check it with")
	}
	var values [3]string
	for at, name := range []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
		if values[at], err = headerOf(header, name); err != nil {
			return "", err
		}
	}
	id, timestamp := values[0], values[1]
	if err := refuseOld(timestamp, v.Tolerance, v.Now); err != nil {
		return "", err
	}
	signed := append([]byte(id+"."+timestamp+"."), body...)
	private, public := signaturesOf(values[2])
	for _, secret := range secrets {
		wanted := []byte(base64.StdEncoding.EncodeToString(mac(secret, signed)))
		for _, given := range private {
			if hmac.Equal(wanted, []byte(given)) {
				return id, nil
			}
		}
	}
	for _, key := range keys {
		for _, given := range public {
			if signature, err := base64.StdEncoding.Strict().DecodeString(given); err == nil && ed25519.Verify(key, signed, signature) {
				return id, nil
			}
		}
	}
	return "", &CallbackRefused{"no signature fits"}
}

// signaturesOf returns those under secrets, and the first few under public keys.
func signaturesOf(header string) (private, public []string) {
	for _, one := range strings.Split(header, " ") {
		if strings.HasPrefix(one, "v1,") {
			private = append(private, one[len("v1,"):])
		} else if strings.HasPrefix(one, "v1a,") && len(public) < mostPublic {
			public = append(public, one[len("v1a,"):])
		}
	}
	return private, public
}

func secretsOf(given []string) ([][]byte, error) {
	secrets := make([][]byte, 0, len(given))
	for _, one := range given {
		secret, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(one, "whsec_"))
		if err != nil || len(secret) == 0 {
			return nil, errors.New("a callback secret is missing, or is not whsec_ and base64")
		}
		secrets = append(secrets, secret)
	}
	return secrets, nil
}

// keys takes only the published keys for callbacks: a key that signs proofs signs no callback.
func (v Verification) keys() ([]ed25519.PublicKey, error) {
	var found [][]byte
	for _, one := range v.PublicKeys {
		key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(one, "whpk_"))
		found = append(found, key)
	}
	if v.Published != nil {
		for _, one := range v.Published.Keys {
			if one.Purpose == "callbacks" {
				key, _ := fromBase64URL(one.X)
				found = append(found, key)
			}
		}
	}
	keys := make([]ed25519.PublicKey, 0, len(found))
	for _, key := range found {
		if len(key) != ed25519.PublicKeySize {
			return nil, errors.New("a public key is whpk_ and base64 of 32 bytes")
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func refuseOld(timestamp string, tolerance time.Duration, now time.Time) error {
	fill(&tolerance, 5*time.Minute)
	if now.IsZero() {
		now = time.Now()
	}
	sent, err := strconv.ParseUint(timestamp, 10, 53)
	if age := now.Sub(time.Unix(int64(sent), 0)); err != nil || age > tolerance || age < -tolerance {
		return &CallbackRefused{"it is too old, or of a wrong time"}
	}
	return nil
}

func headerOf(header http.Header, name string) (string, error) {
	if value := header.Get(name); value != "" {
		return value, nil
	}
	return "", &CallbackRefused{"there is no header " + name}
}

func callbackOf(id string, body []byte) (*VerifiedCallback, error) {
	var known struct {
		ID, Type      json.RawMessage
		Event, Status string
	}
	if err := json.Unmarshal(body, &known); err != nil {
		return nil, err
	}
	var given [2]string
	if json.Unmarshal(known.ID, &given[0]) == nil && json.Unmarshal(known.Type, &given[1]) == nil && isEvent(given[0], given[1]) {
		return nil, &CallbackRefused{"it is an event: VerifyEvent reads it"}
	}
	// The end of a settlement names no event: its status does.
	fill(&known.Event, "settlement."+known.Status)
	content, err := bodyOf(known.Event, body)
	if err != nil {
		return nil, err
	}
	return &VerifiedCallback{id, known.Event, content, body}, nil
}

// isEvent: callbacks have no type.
func isEvent(id, kind string) bool {
	return strings.HasPrefix(id, "ev_") && kind != ""
}
