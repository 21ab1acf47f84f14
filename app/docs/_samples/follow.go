// --- 1. Say where events go: the standard library
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
func call(method, path string, content object) object {
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
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	answer := object{}
	if response.StatusCode == http.StatusNoContent {
		return answer
	}
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber() // keeps the exact digits of amounts
	if err := decoder.Decode(&answer); err != nil || response.StatusCode >= 400 {
		log.Fatal(response.Status, " ", answer)
	}
	return answer
}

type delivery struct {
	header http.Header
	body   []byte
}

func main() {
	inbox := make(chan delivery, 100)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		inbox <- delivery{request.Header, body}
	}))

	destination := call("POST", "/api/v1/event-destinations", object{
		"type":  "webhook",
		"url":   fmt.Sprintf("http://%s/events", listener.Addr()),
		"types": []string{"settlement.*"},
	})
	path := fmt.Sprintf("/api/v1/event-destinations/%s", destination["id"])
	// Shown this once: keep it with your other secrets.
	secret := destination["secret"].(string)
	fmt.Printf("1. %s is %s\n", destination["id"], destination["status"])

	// --- 2. Test it
	test := call("POST", path+"/test", object{})["last_test"].(map[string]any)
	for test["ended_at"] == nil {
		time.Sleep(500 * time.Millisecond)
		test = call("GET", path, nil)["last_test"].(map[string]any)
	}
	fmt.Printf("2. test event delivered: %t\n", test["delivered"])

	// --- 3. Change something
	pair := object(call("GET", "/api/v1/pairs", nil)["data"].([]any)[0].(map[string]any))
	minimum, _ := pair["minimum_source_amount"].(json.Number).Int64()
	quote := call("POST", "/api/v1/settlements", object{
		"source_amount":        minimum * 10,
		"source_currency":      pair["source_currency"],
		"destination_currency": pair["destination_currency"],
		"chain":                pair["chain"],
		"external_merchant_id": "shop-1",
		"wallet_address":       "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
	})
	fmt.Printf("3. quoted: %s\n", quote["tx_id"])

	// --- 4. Verify its event
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	event := object{}
	for event["object_id"] != quote["tx_id"] {
		sent := <-inbox
		sentAt, _ := strconv.ParseInt(sent.header.Get("webhook-timestamp"), 10, 64)
		signed := sent.header.Get("webhook-id") + "." + sent.header.Get("webhook-timestamp") + "." + string(sent.body)
		expected := "v1," + base64.StdEncoding.EncodeToString(mac(key, signed))
		matches := false
		for _, given := range strings.Fields(sent.header.Get("webhook-signature")) {
			matches = matches || hmac.Equal([]byte(given), []byte(expected))
		}
		if age := time.Since(time.Unix(sentAt, 0)).Abs(); !matches || age > 5*time.Minute {
			log.Fatal("this event is not from the service, or not fresh")
		}
		event = object{}
		json.Unmarshal(sent.body, &event)
	}
	// Do the work once for each id, and ignore a version that is older than the one you have.
	fmt.Printf("4. verified: %s, version %v\n", event["type"], event["version"])

	// --- 5. Read it again
	read := call("GET", fmt.Sprintf("/api/v1/events/%s", event["id"]), nil)
	call("DELETE", path, nil)
	fmt.Printf("5. read: %s of %s\n", read["type"], read["object_id"])
}
