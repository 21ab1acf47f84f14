// --- 1. Sign a request: the standard library
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

type object map[string]any

func mac(key []byte, message string) []byte {
	sum := hmac.New(sha256.New, key)
	sum.Write([]byte(message))
	return sum.Sum(nil)
}

func uuid4() string {
	b := make([]byte, 16)
	rand.Read(b)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// A signed request, and the JSON of its answer. The body is serialised once: the signed bytes are the sent bytes.
func call(method, path string, content object, idempotencyKey string) object {
	body := []byte{}
	if content != nil {
		body, _ = json.Marshal(content)
	}
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	message := strings.Join([]string{timestamp, method, path, "", string(body)}, "\n")
	request, err := http.NewRequest(method, os.Getenv("SETTLEMENT_URL")+path, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", os.Getenv("API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Service-Timestamp", timestamp)
	request.Header.Set("X-Service-Nonce", uuid4())
	request.Header.Set("X-Service-Signature", hex.EncodeToString(mac([]byte(os.Getenv("API_SECRET")), message)))
	if idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	answer := object{}
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber() // keeps the exact digits of amounts
	if err := decoder.Decode(&answer); err != nil || response.StatusCode >= 400 {
		log.Fatal(response.Status, " ", answer)
	}
	return answer
}

func main() {
	pair := object(call("GET", "/api/v1/pairs", nil, "")["data"].([]any)[0].(map[string]any))
	minimum, _ := pair["minimum_source_amount"].(json.Number).Int64()
	fmt.Printf("1. signed: %s to %s on %s, from %d minor units\n",
		pair["source_currency"], pair["destination_currency"], pair["chain"], minimum)

	// --- 2. Get a quote
	// Your id of the order is the Idempotency-Key: a repeat with it, after a crash for example, returns the same quote.
	order := fmt.Sprintf("order-%d", time.Now().UnixNano())
	quote := call("POST", "/api/v1/settlements", object{
		"source_amount":        minimum * 10,
		"source_currency":      pair["source_currency"],
		"destination_currency": pair["destination_currency"],
		"chain":                pair["chain"],
		"external_merchant_id": "shop-1",
		"wallet_address":       "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
	}, order)
	fmt.Printf("2. quoted: %s %s until %s, as %s\n",
		quote["destination_amount"], quote["destination_currency"], quote["expires_at"], quote["tx_id"])

	// --- 3. Confirm it, and say where to call back
	type delivery struct {
		header http.Header
		body   []byte
	}
	inbox := make(chan delivery, 1)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		inbox <- delivery{request.Header, body}
	}))

	path := fmt.Sprintf("/api/v1/settlements/%s", quote["tx_id"])
	confirmed := call("POST", path+"/confirm", object{
		"external_tx_id":              order,
		"expected_destination_amount": quote["destination_amount"],
		"callback_url":                fmt.Sprintf("http://%s/callbacks", listener.Addr()),
	}, "")
	fmt.Printf("3. confirmed: %s\n", confirmed["status"])

	// --- 4. See it paid
	settlement := confirmed
	for settlement["status"] == "processing" {
		time.Sleep(time.Second)
		settlement = call("GET", path, nil, "")
	}
	fmt.Printf("4. %s: %s\n", settlement["status"], settlement["tx_hash"])

	// --- 5. Verify the callback
	callback := <-inbox
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("CALLBACK_SECRET"), "whsec_"))
	sentAt, _ := strconv.ParseInt(callback.header.Get("webhook-timestamp"), 10, 64)
	signed := callback.header.Get("webhook-id") + "." + callback.header.Get("webhook-timestamp") + "." + string(callback.body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac(key, signed))
	matches := false
	for _, given := range strings.Fields(callback.header.Get("webhook-signature")) {
		matches = matches || hmac.Equal([]byte(given), []byte(expected))
	}
	if age := time.Since(time.Unix(sentAt, 0)).Abs(); !matches || age > 5*time.Minute {
		log.Fatal("this callback is not from the service, or not fresh")
	}
	received := object{}
	json.Unmarshal(callback.body, &received)
	fmt.Printf("5. callback verified: %s\n", received["status"])
}
