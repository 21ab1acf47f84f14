// --- 1. A member, and its Safe
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"settlement.example/go/settlement"
)

func main() {
	ctx := context.Background()
	client, err := settlement.New(settlement.Options{
		BaseURL: os.Getenv("SETTLEMENT_URL"), APIKey: os.Getenv("API_KEY"), APISecret: os.Getenv("API_SECRET"),
	})
	if err != nil {
		log.Fatal(err)
	}
	// What may be null is a pointer: nil is null.
	text := func(value *string) string {
		if value == nil {
			return "nothing"
		}
		return *value
	}
	// The external user id is your own id: created again with the same values, it is the same member.
	created := settlement.MemberCreate{ExternalUserID: "user-1001", Phone: "+254712345678", Name: "Wanjiru Kamau"}
	if _, err := client.Members.Create(ctx, created); err != nil {
		log.Fatal(err)
	}
	member, err := client.Members.WaitForSafe(ctx, "user-1001", settlement.Waiting{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("1. %s has the Safe %s\n", member.ExternalUserID, text(member.WalletAddress))

	// --- 2. Listen for the callback
	// VerifyCallback checks the raw bytes before you trust anything:
	// it returns an error unless they are ours and fresh.
	verified := make(chan *settlement.VerifiedCallback, 1)
	keys := settlement.Verification{Secrets: []string{os.Getenv("CALLBACK_SECRET")}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(http.MaxBytesReader(answer, request.Body, 1<<20))
		callback, err := settlement.VerifyCallback(request.Header, body, keys)
		var refused *settlement.CallbackRefused
		switch {
		case err == nil:
			verified <- callback
		case errors.As(err, &refused):
			answer.WriteHeader(http.StatusBadRequest)
		default:
			// An error on your side: the callback comes again.
			answer.WriteHeader(http.StatusInternalServerError)
		}
	}))
	callbackURL := fmt.Sprintf("http://%s/callbacks", listener.Addr())
	fmt.Println("2. listening")

	// --- 3. Ask for the top-up, and tell the payer what to do
	// The external id is your own id, stored before you ask:
	// a repeat with it, after a crash for example, is the same top-up.
	topup, err := client.Topups.Create(ctx, settlement.TopupRequestCreate{
		ExternalID:          fmt.Sprintf("topup-%d", time.Now().UnixNano()),
		ExternalUserID:      "user-1001",
		Amount:              250_000, // KES 2,500.00
		Currency:            "KES",
		DestinationCurrency: "USDT",
		Chain:               "eip155:31337",
		Source:              settlement.TopupRequestCreateSource{Type: "mobile_money", Account: "+254712345678"},
		CallbackURL:         callbackURL,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("3. %s: %s %s to be sent, as %s\n", topup.Status, topup.DestinationAmount, topup.DestinationCurrency, topup.ID)
	fmt.Printf("   to the payer: %s\n", text(topup.Payment.Instructions))

	// --- 4. See it end
	ended, err := client.Topups.WaitForTerminal(ctx, topup.ID, settlement.Waiting{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("4. %s: sent by %s, collected as %s\n", ended.Status, text(ended.TxHash), text(ended.ProviderReference))

	// --- 5. Read the verified callback
	callback := <-verified
	switch body := callback.Body.(type) {
	case *settlement.TopupCompleted:
		fmt.Printf("5. %s: %s %s in %s\n", callback.Event, body.DestinationAmount, body.DestinationCurrency, body.WalletAddress)
	case *settlement.TopupFailed:
		fmt.Printf("5. %s: %s\n", callback.Event, body.FailureReason)
	}
}
