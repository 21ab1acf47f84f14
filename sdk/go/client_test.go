package settlement

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

var ctx = context.Background()

var order = SettlementCreate{
	SourceAmount: 1_000_000, SourceCurrency: "KES", DestinationCurrency: "USDT", ExternalMerchantID: "Käthe’s & <店>",
	Chain: "eip155:31337", WalletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
}

func TestSigningVectors(t *testing.T) {
	var published struct {
		Vectors []struct {
			Name, Secret, Timestamp, Method, Path, Query, Body, Signature string
			SigningString                                                 string `json:"signing_string"`
		}
	}
	readJSON(t, "docs/signing-vectors.json", &published)
	if len(published.Vectors) < 20 {
		t.Fatal("too few vectors")
	}
	for _, one := range published.Vectors {
		parts := SignedParts{one.Timestamp, one.Method, one.Path, one.Query, []byte(one.Body)}
		if string(SigningBytes(parts)) != one.SigningString || SignRequest(one.Secret, parts) != one.Signature {
			t.Error(one.Name)
		}
	}
}

func TestSignsWhatGoesOut(t *testing.T) {
	s := serve(t, Options{}, answering(200, `{"data":[],"next_cursor":null}`))
	ok[[]Settlement](t)(s.client.Settlements.List(ListSettlementsQuery{ExternalMerchantID: "o'clock & 店+"}).All(ctx))
	ok[*Settlement](t)(s.client.Settlements.Create(ctx, "order-1", order))
	ok[*Settlement](t)(s.client.Settlements.Get(ctx, "a/b?c d"))
	for _, one := range s.all() {
		path, query, _ := strings.Cut(one.target, "?")
		wanted := SignRequest("sec_1", SignedParts{one.header.Get("X-Service-Timestamp"), one.method, path, query, one.body})
		equal(t, one.header.Get("X-Service-Signature"), wanted)
		equal(t, one.header.Get("Authorization"), "key_1")
		equal(t, one.header.Get("User-Agent"), "settlement-sdk-go/"+Version)
	}
	equal(t, s.all()[0].target, "/api/v1/settlements?limit=100&external_merchant_id=o%27clock%20%26%20%E5%BA%97%2B")
	equal(t, s.all()[2].target, "/api/v1/settlements/a%2Fb%3Fc%20d")
	if !bytes.Contains(s.all()[1].body, []byte("Käthe’s & <店>")) {
		t.Error("the body is escaped", string(s.all()[1].body))
	}
}

func TestSignsReadsOfTheOtherSurfaceAndNothingThatIsOpen(t *testing.T) {
	s := serve(t, Options{}, answering(200, `{"keys":[]}`))
	ok[*Member](t)(s.client.Members.Get(ctx, "m-1"))
	ok[*PublicKeys](t)(s.client.PublicKeys(ctx, GetJWKSQuery{Partner: "b97f1128"}))
	requests := s.all()
	equal(t, requests[0].header.Get("apiKey"), "key_1")
	equal(t, len(requests[0].header.Get("X-Service-Signature")), 64)
	equal(t, requests[1].target, "/.well-known/jwks.json?partner=b97f1128")
	equal(t, requests[1].header.Get("Authorization")+requests[1].header.Get("X-Service-Signature"), "")
}

func TestIsSentAgainWithTheSameKeyAndBytes(t *testing.T) {
	s := serve(t, Options{}, hangUp, problem(429, "rate_limited", "", "Retry-After", "0"),
		problem(409, "idempotency_in_progress", "", "Retry-After", "0"), answering(201, `{"tx_id":"tx_1"}`))
	found := ok[*Settlement](t)(s.client.Settlements.Create(ctx, "order-1", order))
	requests := s.all()
	equal(t, found.TxID, "tx_1")
	equal(t, len(requests), 4)
	equal(t, different(requests, "Idempotency-Key"), 1)
	equal(t, different(requests, "X-Service-Nonce"), 4)
	for _, one := range requests {
		equal(t, string(one.body), string(requests[0].body))
	}
}

func TestNothingIsRepeatedWithAUsedNonce(t *testing.T) {
	// The connection is kept, and lost under the second request: net/http would send a GET again as it is.
	s := serve(t, Options{}, answering(200, `{}`), hangUp, answering(200, `{"tx_id":"tx_1"}`))
	ok[*Settlement](t)(s.client.Settlements.Get(ctx, "tx_1"))
	ok[*Settlement](t)(s.client.Settlements.Get(ctx, "tx_1"))
	equal(t, len(s.all()), 3)
	equal(t, different(s.all(), "X-Service-Nonce"), 3)
	s = serve(t, Options{}, answering(200, `{}`), hangUp, answering(200, `{"tx_id":"tx_1"}`))
	ok[*Settlement](t)(s.client.Settlements.Cancel(ctx, "tx_1"))
	ok[*Settlement](t)(s.client.Settlements.Cancel(ctx, "tx_1"))
	equal(t, different(s.all(), "X-Service-Nonce"), 3)
	equal(t, different(s.all(), "Idempotency-Key"), 2)
}

func TestTheKeyComesFromTheIntent(t *testing.T) {
	s := serve(t, Options{}, answering(201, `{}`))
	for _, intent := range []string{"order-1", "order-1", "order-2"} {
		ok[*Settlement](t)(s.client.Settlements.Create(ctx, intent, order))
	}
	requests := s.all()
	equal(t, requests[0].header.Get("Idempotency-Key"), requests[1].header.Get("Idempotency-Key"))
	equal(t, different(requests, "Idempotency-Key"), 2)
	_, err := s.client.Settlements.Create(ctx, "", order)
	contains(t, err, "an intent says something")
	equal(t, len(s.all()), 3)
}

func TestALaterCallIsNotAnsweredByAKeptRefusal(t *testing.T) {
	s := serve(t, Options{}, problem(409, "approval_pending", ""), answering(200, `{}`))
	_, err := s.client.Settlements.Confirm(ctx, "tx_1", SettlementConfirmation{ExternalTxID: "order-1"})
	equal(t, IsRefused(err, ErrorCodeApprovalPending), true)
	ok[*Settlement](t)(s.client.Settlements.Confirm(ctx, "tx_1", SettlementConfirmation{ExternalTxID: "order-1"}))
	equal(t, different(s.all(), "Idempotency-Key"), 2)
}

func TestSetsItsClockByTheService(t *testing.T) {
	ahead := at(time.Now().Add(time.Hour))
	s := serve(t, Options{Attempts: 1}, problem(401, "stale_timestamp", `,"server_time":"`+ahead+`"`), answering(200, `{}`))
	ok[*Settlement](t)(s.client.Settlements.Get(ctx, "tx_1"))
	ok[*Settlement](t)(s.client.Settlements.Get(ctx, "tx_1"))
	var off []int64
	for _, one := range s.all() {
		seconds, _ := strconv.ParseInt(one.header.Get("X-Service-Timestamp"), 10, 64)
		off = append(off, (seconds-time.Now().Unix()+30)/60)
	}
	if !reflect.DeepEqual(off, []int64{0, 60, 60}) {
		t.Fatal(off)
	}
	stale := problem(401, "stale_timestamp", "")
	s = serve(t, Options{}, stale, answering(200, `{"now":"2026-11-22T10:00:00.000Z","epoch_seconds":1}`), stale)
	_, err := s.client.Settlements.Get(ctx, "tx_1")
	equal(t, IsRefused(err, ErrorCodeStaleTimestamp), true)
	equal(t, len(s.all()), 3)
	equal(t, s.all()[1].target+s.all()[1].header.Get("Authorization"), "/time")
}

func TestTellsARefusalOfBothSurfaces(t *testing.T) {
	fault := `,"current_destination_amount":7682.938826,"errors":[{"pointer":"/source_amount","code":"too_small","message":"must be at least 1"}]`
	s := serve(t, Options{}, problem(422, "validation_failed", fault, "X-Request-Id", "req_1"))
	_, err := s.client.Settlements.Create(ctx, "x", order)
	var refused *Refused
	equal(t, errors.As(err, &refused), true)
	equal(t, fmt.Sprintf("%d %s %s %s", refused.Status, refused.Code, refused.RequestID, refused.Faults[0].At), "422 validation_failed req_1 /source_amount")
	equal(t, err.Error(), "422 validation_failed: It is validation_failed. (/source_amount: must be at least 1)")
	var amount Decimal
	equal(t, refused.Member("current_destination_amount", &amount), true)
	equal(t, amount, "7682.938826")
	equal(t, len(s.all()), 1)
	s = serve(t, Options{}, answering(422, `{"detail":[{"loc":["body","phone"],"msg":"must be a number","type":"invalid"}]}`))
	_, err = s.client.Members.Get(ctx, "m")
	equal(t, err.Error(), "422 validation_failed: must be a number (body.phone)")
	s = serve(t, Options{}, answering(404, `<html>`))
	_, err = s.client.Members.Get(ctx, "m")
	equal(t, err.Error(), "404 unknown: The service answered 404.")
}

func TestWaitsNoLongerThanItMayAndSaysWhenNobodyAnswers(t *testing.T) {
	s := serve(t, Options{}, problem(503, "liquidity_unavailable", "", "Retry-After", "60"))
	_, err := s.client.Settlements.Get(ctx, "tx_1")
	var refused *Refused
	equal(t, errors.As(err, &refused) && *refused.RetryAfter == time.Minute, true)
	equal(t, len(s.all()), 1)
	s = serve(t, Options{Attempts: 2}, hangUp)
	_, err = s.client.Settlements.Get(ctx, "tx_1")
	var unanswered *Unanswered
	equal(t, errors.As(err, &unanswered), true)
	equal(t, len(s.all()), 2)
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	_, err = serve(t, Options{Timeout: 20 * time.Millisecond, Attempts: 1}, hang).client.Settlements.Get(ctx, "tx_1")
	equal(t, errors.As(err, &unanswered), true)
	ending, cancel := context.WithCancel(ctx)
	s = serve(t, Options{}, func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	_, err = s.client.Settlements.Get(ending, "tx_1")
	equal(t, errors.Is(err, context.Canceled), true)
	equal(t, len(s.all()), 1)
}

func TestFollowsNoRedirectAndTakesNoIDThatLeavesItsPath(t *testing.T) {
	s := serve(t, Options{}, answering(302, `{}`, "Location", "https://elsewhere.example"))
	_, err := s.client.Settlements.Get(ctx, "tx_1")
	contains(t, err, "302")
	for _, id := range []string{"", ".", ".."} {
		_, err := s.client.Settlements.Get(ctx, id)
		contains(t, err, "is no id")
	}
	equal(t, len(s.all()), 1)
}

func TestRefusesOptionsThatCannotBeRight(t *testing.T) {
	good := Options{BaseURL: "https://api.example.com", APIKey: "k", APISecret: "s"}
	if _, err := New(good); err != nil {
		t.Fatal(err)
	}
	for text, change := range map[string]func(*Options){
		"BaseURL is missing":   func(o *Options) { o.BaseURL = "" },
		"BaseURL is the":       func(o *Options) { o.BaseURL = "nonsense" },
		"before /api/v1":       func(o *Options) { o.BaseURL += "/api/v1/" },
		"APIKey is missing":    func(o *Options) { o.APIKey = "" },
		"APISecret is missing": func(o *Options) { o.APISecret = "" },
		"not negative":         func(o *Options) { o.Attempts = -1 },
	} {
		options := good
		change(&options)
		_, err := New(options)
		contains(t, err, text)
	}
}

func TestAmountsKeepTheirDigits(t *testing.T) {
	s := serve(t, Options{}, answering(200, `{"source_amount":9007199254740991,"destination_amount":7682.938826,"platform_fee":0,"exchange_rate":1e-7}`))
	found := ok[*Settlement](t)(s.client.Settlements.Get(ctx, "tx_1"))
	equal(t, fmt.Sprintf("%d %s %s %s", found.SourceAmount, found.DestinationAmount, found.PlatformFee, found.ExchangeRate), "9007199254740991 7682.938826 0 1e-7")
	equal(t, found.ExchangeRate.Rat().FloatString(7), "0.0000001")
	ok[*Settlement](t)(s.client.Settlements.Confirm(ctx, "tx_1", SettlementConfirmation{ExternalTxID: "o", ExpectedDestinationAmount: found.DestinationAmount}))
	equal(t, string(s.all()[1].body), `{"expected_destination_amount":7682.938826,"external_tx_id":"o"}`)
	_, err := s.client.Settlements.Confirm(ctx, "tx_1", SettlementConfirmation{ExternalTxID: "o", ExpectedDestinationAmount: "7,68"})
	contains(t, err, "is no decimal number")
	equal(t, len(s.all()), 2)
}

func TestAChangeLeavesOutRemovesAndSets(t *testing.T) {
	s := serve(t, Options{}, answering(200, `{}`))
	ok[*Member](t)(s.client.Members.Update(ctx, "m", MemberUpdate{Name: Value("Wanjiru"), Email: Null[string]()}))
	ok[*EventDestination](t)(s.client.EventDestinations.Update(ctx, "de_1", EventDestinationChange{Description: Pointer("")}))
	equal(t, string(s.all()[0].body), `{"email":null,"name":"Wanjiru"}`)
	equal(t, string(s.all()[1].body), `{"description":""}`)
}

func TestReadsPageAfterPage(t *testing.T) {
	s := serve(t, Options{}, answering(200, `{"data":[{"tx_id":"1"},{"tx_id":"2"}],"next_cursor":"next"}`), answering(200, `{"data":[{"tx_id":"3"}],"next_cursor":null}`))
	var ids string
	walk := s.client.Settlements.List(ListSettlementsQuery{Status: SettlementStatusExecuted, Limit: 2})
	for walk.Next(ctx) {
		ids += walk.Item().TxID
	}
	equal(t, ids, "123")
	if walk.Err() != nil {
		t.Fatal(walk.Err())
	}
	equal(t, s.all()[1].target, "/api/v1/settlements?limit=2&status=executed&cursor=next")
	s = serve(t, Options{}, answering(200, `[{"id":"1"}]`, "X-Next-Cursor", "next"), answering(200, `[{"id":"2"}]`, "X-Next-Cursor", ""))
	equal(t, len(ok[[]Member](t)(s.client.Members.List(GetMembersQuery{Search: "m"}).All(ctx))), 2)
	equal(t, s.all()[1].target, "/partners/members?limit=100&search=m&cursor=next")
	s = serve(t, Options{}, answering(200, `{"items":[{"id":"1"}],"next_cursor":null}`))
	equal(t, len(ok[[]Transaction](t)(s.client.Transactions(GetAllTransactionsQuery{ExternalID: "p"}).All(ctx))), 1)
	s = serve(t, Options{}, answering(200, `{"items":[{"id":"1"}]}`))
	_, err := s.client.Transactions(GetAllTransactionsQuery{Limit: 1}).All(ctx)
	contains(t, err, "older than this SDK")
	_, err = serve(t, Options{}, problem(403, "forbidden", "")).client.Members.List(GetMembersQuery{}).All(ctx)
	equal(t, IsRefused(err, ErrorCodeForbidden), true)
}

func TestWaitsForAnEnd(t *testing.T) {
	quoted := func(status string, end time.Time) step {
		return answering(200, `{"status":"`+status+`","approval_state":null,"expires_at":"`+at(end)+`"}`)
	}
	later := time.Now().Add(time.Hour)
	soon := Waiting{Every: time.Millisecond}
	s := serve(t, Options{}, quoted("processing", later), quoted("processing", later), quoted("executed", later))
	equal(t, ok[*Settlement](t)(s.client.Settlements.WaitForTerminal(ctx, "tx_1", soon)).Status, SettlementStatusExecuted)
	_, err := serve(t, Options{}, quoted("processing", later)).client.Settlements.WaitForTerminal(ctx, "tx_1", Waiting{20 * time.Millisecond, 5 * time.Millisecond})
	contains(t, err, "it is processing")
	var open *NotTerminal
	equal(t, errors.As(err, &open), true)
	clock := func(now time.Time) step { return answering(200, fmt.Sprintf(`{"epoch_seconds":%d}`, now.Unix())) }
	s = serve(t, Options{}, quoted("quoted", time.Unix(0, 0)), clock(time.Now()))
	_, err = s.client.Settlements.WaitForTerminal(ctx, "tx_1", soon)
	contains(t, err, "the quote has expired")
	// By the service's clock, an hour behind this one, the quote is good.
	hourAgo := time.Now().Add(-time.Hour)
	s = serve(t, Options{}, quoted("quoted", hourAgo.Add(time.Minute)), clock(hourAgo), quoted("executed", hourAgo))
	equal(t, ok[*Settlement](t)(s.client.Settlements.WaitForTerminal(ctx, "tx_1", soon)).Status, SettlementStatusExecuted)
	s = serve(t, Options{}, answering(200, `{"status":"pending"}`), answering(200, `{"status":"failed"}`))
	equal(t, ok[*WithdrawRequestResponse](t)(s.client.Withdrawals.WaitForTerminal(ctx, "wd_1", soon)).Status, "failed")
	s = serve(t, Options{}, quoted("processing", later), quoted("completed", later))
	equal(t, ok[*Batch](t)(s.client.Batches.WaitForTerminal(ctx, "b_1", soon)).Status, "completed")
}

func TestWaitsForAMembersSafe(t *testing.T) {
	member := func(safe, wallet string) step {
		return answering(200, `{"safe_status":`+safe+`,"wallet_address":`+wallet+`}`)
	}
	soon := Waiting{Every: time.Millisecond}
	s := serve(t, Options{}, member(`"deploying"`, "null"), member(`"deploying"`, `"0xabc"`), member(`"deployed"`, `"0xabc"`))
	equal(t, *ok[*Member](t)(s.client.Members.WaitForSafe(ctx, "m-1", soon)).WalletAddress, "0xabc")
	equal(t, len(s.all()), 3)
	s = serve(t, Options{}, member("null", `"0xdef"`))
	equal(t, *ok[*Member](t)(s.client.Members.WaitForSafe(ctx, "m-1", soon)).WalletAddress, "0xdef")
	_, err := serve(t, Options{}, member(`"failed"`, `"0xabc"`)).client.Members.WaitForSafe(ctx, "m-1", soon)
	contains(t, err, "could not be deployed")
}

func TestCallsAnythingByMethodAndPath(t *testing.T) {
	s := serve(t, Options{}, answering(200, `{"a":1.50}`))
	var into struct{ A Decimal }
	request := Request{Method: "POST", Path: "/api/v1/new", Query: url.Values{"b": {"c d"}}, Body: map[string]int{"x": 1}, Intent: "i"}
	if err := s.client.Call(ctx, request, &into); err != nil {
		t.Fatal(err)
	}
	equal(t, into.A, "1.50")
	equal(t, s.all()[0].target+string(s.all()[0].body), `/api/v1/new?b=c%20d{"x":1}`)
}
