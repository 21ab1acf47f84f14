// --- 1. See what can be paid out, and from where
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
	self, err := client.Partner(ctx)
	if err != nil {
		log.Fatal(err)
	}
	pools, err := client.Withdrawals.Pools(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, pool := range pools {
		if pool.Currency == "KES" {
			fmt.Printf("1. out of the Safe %s: from %d minor units of %s\n", self.WalletAddress, pool.Minimum, pool.Currency)
		}
	}

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

	// --- 3. Ask for the withdrawal
	// The external id is your own id, stored before you ask:
	// a repeat with it, after a crash for example, is the same withdrawal.
	withdrawal, err := client.Withdrawals.Create(ctx, settlement.WithdrawCreate{
		ExternalID:     fmt.Sprintf("payout-%d", time.Now().UnixNano()),
		Amount:         123_400, // KES 1,234.00
		Currency:       "KES",
		SourceCurrency: "USDT",
		Chain:          "eip155:31337",
		Destination: settlement.WithdrawCreateDestination{
			Type:    "mobile_money",
			Account: "+254712345678",
			Name:    "Wanjiru Kamau",
		},
		CallbackURL: callbackURL,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("3. %s: %s %s to be taken, as %s\n", withdrawal.Status, withdrawal.SourceAmount, withdrawal.SourceCurrency, withdrawal.ID)

	// --- 4. See it end
	// What may be null is a pointer: nil is null.
	text := func(value *string) string {
		if value == nil {
			return "nothing"
		}
		return *value
	}
	ended, err := client.Withdrawals.WaitForTerminal(ctx, withdrawal.ID, settlement.Waiting{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("4. %s: taken by %s, paid as %s\n", ended.Status, text(ended.TxHash), text(ended.ProviderReference))

	// --- 5. Read the verified callback
	callback := <-verified
	switch body := callback.Body.(type) {
	case *settlement.WithdrawalCompleted:
		fmt.Printf("5. %s: %d %s to %s\n", callback.Event, body.Amount, body.Currency, body.Destination.Name)
	case *settlement.WithdrawalFailed:
		fmt.Printf("5. %s: %s Given back by %s\n", callback.Event, body.FailureReason, text(body.ReturnTxHash))
	}
}
