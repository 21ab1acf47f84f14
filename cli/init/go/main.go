package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"settlement.example/go/settlement"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	settings, err := ReadSettings()
	if err != nil {
		return err
	}
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		return serve(settings, os.Args[2])
	}
	client, err := settings.Client()
	if err != nil {
		return err
	}
	callbacks := make(chan *settlement.VerifiedCallback, 1)
	receiver := &Receiver{CallbackSecret: settings["CALLBACK_SECRET"], Handle: func(callback *settlement.VerifiedCallback) error {
		callbacks <- callback
		return nil
	}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go http.Serve(listener, receiver)

	order := Order{
		ID:       fmt.Sprintf("order-%d", time.Now().UnixNano()),
		Amount:   250_000,
		Merchant: "shop-1",
		Wallet:   "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
	}
	txID, err := Pay(ctx, client, order, fmt.Sprintf("http://%s/callbacks", listener.Addr()))
	if err != nil {
		return err
	}
	fmt.Printf("%s: confirmed for %s\n", txID, order.ID)
	callback := <-callbacks
	hash := ""
	if executed, ok := callback.Body.(*settlement.SettlementExecuted); ok {
		hash = executed.TxHash
	}
	fmt.Printf("%s: %s\n", callback.Event, hash)
	return nil
}
