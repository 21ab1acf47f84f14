package main

import (
	"fmt"
	"net"
	"net/http"

	"settlement.example/go/settlement"
)

// serve runs the receiver by itself, until you stop it.
func serve(settings Settings, address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("Waiting at http://%s/callbacks\n", listener.Addr())
	return http.Serve(listener, &Receiver{CallbackSecret: settings["CALLBACK_SECRET"], Handle: func(callback *settlement.VerifiedCallback) error {
		// Your work goes here.
		fmt.Printf("%s: %s\n", callback.Event, callback.ID)
		return nil
	}})
}
