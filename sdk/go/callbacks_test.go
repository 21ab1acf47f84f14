package settlement

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// zeros are those that end a moment's fraction: Go writes none.
var zeros = regexp.MustCompile(`(:\d\d(?:\.\d*[1-9])?)\.?0+Z`)

var (
	secret  = "whsec_" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 24)))
	payload = []byte(`{"tx_id":"tx_1","status":"executed","destination_amount":76.318904}`)
	with    = Verification{Secrets: []string{secret}}
)

func signed(id string, body []byte, moment time.Time) http.Header {
	timestamp := strconv.FormatInt(moment.Unix(), 10)
	sum := mac([]byte(strings.Repeat("k", 24)), append([]byte(id+"."+timestamp+"."), body...))
	header := http.Header{}
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", timestamp)
	header.Set("webhook-signature", "v1,AAAA v1,"+base64.StdEncoding.EncodeToString(sum))
	return header
}

func refusedCallback(t *testing.T, err error) {
	t.Helper()
	var refused *CallbackRefused
	if !errors.As(err, &refused) {
		t.Fatalf("found %v, wanted a *CallbackRefused", err)
	}
}

func TestReadsWhatIsReallyTheServices(t *testing.T) {
	other := "whsec_" + base64.StdEncoding.EncodeToString([]byte("other"))
	callback := ok[*VerifiedCallback](t)(VerifyCallback(signed("cb_1", payload, time.Now()), payload, Verification{Secrets: []string{other, secret}}))
	body, isKnown := callback.Body.(*SettlementExecuted)
	equal(t, isKnown, true)
	equal(t, fmt.Sprint(callback.ID, callback.Event, body.TxID, body.DestinationAmount), "cb_1settlement.executedtx_176.318904")
}

func TestEveryCallbackHasTheTypeOfWhatIsReallySent(t *testing.T) {
	var recorded map[string]struct{ Webhooks map[string]json.RawMessage }
	readJSON(t, "contract/openapi-examples.json", &recorded)
	count := 0
	for _, surface := range []string{"settlement", "partner"} {
		for event, body := range recorded[surface].Webhooks {
			count++
			callback := ok[*VerifiedCallback](t)(VerifyCallback(signed("cb_1", body, time.Now()), body, with))
			equal(t, callback.Event, event)
			kind := reflect.TypeOf(callback.Body)
			equal(t, kind.Kind() == reflect.Pointer && strings.EqualFold(kind.Elem().Name(), strings.ReplaceAll(event, ".", "")), true)
			// Read and written again, it is the same to the last digit.
			written := string(ok[[]byte](t)(stable(callback.Body)))
			equal(t, written, zeros.ReplaceAllString(string(ok[[]byte](t)(stable(body))), "${1}Z"))
		}
	}
	if count < 10 {
		t.Fatal("too few examples")
	}
}

func TestRefusesAnythingElse(t *testing.T) {
	good := signed("cb_1", payload, time.Now())
	changed := func(name, value string) http.Header {
		header := good.Clone()
		header.Set(name, value)
		return header
	}
	signature := good.Get("webhook-signature")
	for _, one := range []struct {
		header http.Header
		body   string
	}{
		{good, strings.Replace(string(payload), "76", "77", 1)},
		{good, string(payload) + " "},
		{changed("webhook-id", "cb_2"), string(payload)},
		{changed("webhook-signature", "v1,AAAA"), string(payload)},
		{changed("webhook-signature", signature[:len(signature)-1]), string(payload)},
		{changed("webhook-signature", strings.ReplaceAll(signature, "v1,", "v2,")), string(payload)},
		{changed("webhook-signature", "v1,é"), string(payload)},
		{changed("webhook-timestamp", strings.Repeat("9", 400)), string(payload)},
		{signed("cb_1", payload, time.Now().Add(-302*time.Second)), string(payload)},
		{signed("cb_1", payload, time.Now().Add(302*time.Second)), string(payload)},
		{http.Header{}, string(payload)},
	} {
		_, err := VerifyCallback(one.header, []byte(one.body), with)
		refusedCallback(t, err)
	}
}

func TestTellsAMistakeOfItsOwnFromACallbackThatIsNotTheServices(t *testing.T) {
	var refused *CallbackRefused
	for _, given := range [][]string{nil, {""}, {"whsec_"}, {"whsec_%"}} {
		_, err := VerifyCallback(http.Header{}, payload, Verification{Secrets: given})
		equal(t, err != nil && !errors.As(err, &refused), true)
	}
	_, err := VerifyMirrored(http.Header{}, payload, Mirrored{Method: "POST", Target: "/"})
	contains(t, err, "APISecret is missing")
}

func TestReadsAnEventAndRefusesACallbackAsOne(t *testing.T) {
	body := []byte(`{"id":"ev_1","type":"settlement.executed","object_id":"tx_1","version":4,"data":{"tx_id":"tx_1"}}`)
	event := ok[*Event](t)(VerifyEvent(signed("ev_1", body, time.Now()), body, with))
	equal(t, fmt.Sprint(event.Type, event.Version, string(event.Data)), `settlement.executed4{"tx_id":"tx_1"}`)
	_, err := VerifyCallback(signed("ev_1", body, time.Now()), body, with)
	contains(t, err, "VerifyEvent reads it")
	_, err = VerifyEvent(signed("ev_2", body, time.Now()), body, with)
	refusedCallback(t, err)
	_, err = VerifyEvent(signed("cb_1", payload, time.Now()), payload, with)
	contains(t, err, "it is a callback")
}

func TestChecksTheMirroredSignature(t *testing.T) {
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	header := http.Header{}
	header.Set("webhook-id", "cb_1")
	header.Set("X-Shop-Timestamp", timestamp)
	header.Set("X-Shop-Signature", SignRequest("sec_1", SignedParts{timestamp, "POST", "/hook", "a=1&&b=?", payload}))
	right := Mirrored{APISecret: "sec_1", Method: "POST", Target: "/hook?a=1&&b=?", Brand: "Shop"}
	equal(t, ok[*VerifiedCallback](t)(VerifyMirrored(header, payload, right)).Event, "settlement.executed")
	right.Target = "/hook?a=2"
	_, err := VerifyMirrored(header, payload, right)
	refusedCallback(t, err)
}

type vectors struct {
	Issuer string
	JWKS   PublicKeys
	Proofs []struct {
		Name, Proof, Type, KID string
		Valid                  bool
		Claims                 map[string]any
	}
	Callbacks []map[string]any
}

func TestPublishedVectorsOfPublicKeys(t *testing.T) {
	var given vectors
	readJSON(t, "docs/proof-vectors.json", &given)
	var own []string
	for _, key := range given.JWKS.Keys {
		if key.Purpose == "callbacks" {
			own = append(own, *key.Whpk)
		}
	}
	now := time.Unix(1_763_800_000, 0)
	for _, vector := range given.Callbacks {
		header := http.Header{}
		for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
			header.Set(name, vector[name].(string))
		}
		for _, keys := range []Verification{{Published: &given.JWKS, Now: now}, {PublicKeys: own, Now: now}} {
			_, err := VerifyCallback(header, []byte(vector["body"].(string)), keys)
			if (err == nil) != vector["valid"].(bool) {
				t.Error(vector["name"], err)
			}
		}
	}
	_, err := VerifyCallback(http.Header{}, payload, Verification{PublicKeys: []string{"whpk_AQ=="}})
	contains(t, err, "a public key is")
}

func TestPublishedVectorsOfProofs(t *testing.T) {
	var given vectors
	readJSON(t, "docs/proof-vectors.json", &given)
	if len(given.Proofs) < 15 {
		t.Fatal("too few vectors")
	}
	for _, vector := range given.Proofs {
		proof, err := VerifyProof(vector.Proof, given.JWKS, given.Issuer)
		if (err == nil) != vector.Valid {
			t.Error(vector.Name, err)
		}
		if err == nil && (proof.Type != vector.Type || proof.KID != vector.KID || fmt.Sprint(proof.Claims["sub"]) != fmt.Sprint(vector.Claims["sub"])) {
			t.Error(vector.Name, proof)
		}
	}
	_, err := VerifyProof(given.Proofs[0].Proof, given.JWKS, "https://pay.example.evil")
	contains(t, err, "another issuer")
	proof := []byte(given.Proofs[1].Proof)
	for place := 0; place < len(proof); place += 7 {
		changed := append([]byte(nil), proof...)
		changed[place] = 'A'
		if proof[place] == 'A' {
			changed[place] = 'B'
		}
		if _, err := VerifyProof(string(changed), given.JWKS, ""); err == nil {
			t.Fatal(place)
		}
	}
	deep := base64.RawURLEncoding.EncodeToString([]byte(strings.Repeat("[", 200_000)))
	if _, err := VerifyProof(deep+"."+deep+".AA", given.JWKS, ""); err == nil {
		t.Fatal("nested deep")
	}
}
