package main

import (
	"errors"
	"io"
	"net/http"
	"sync"

	"settlement.example/go/settlement"
)

// Receiver is a web server's handler for callbacks. It calls Handle once for each genuine callback, and answers 200 when
// that is done. A copy gets 200 and does nothing. Keep the ids in your database in production, in the transaction that
// changes your order.
type Receiver struct {
	CallbackSecret string
	Handle         func(*settlement.VerifiedCallback) error

	mutex   sync.Mutex
	handled map[string]bool
}

func (receiver *Receiver) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	err := receiver.receive(request)
	var refused *settlement.CallbackRefused
	switch {
	case err == nil:
		answer.WriteHeader(http.StatusOK)
	case errors.As(err, &refused):
		// It is not from the service.
		answer.WriteHeader(http.StatusBadRequest)
	default:
		// A fault on your side. The callback comes again.
		answer.WriteHeader(http.StatusInternalServerError)
	}
}

func (receiver *Receiver) receive(request *http.Request) error {
	body, err := io.ReadAll(io.LimitReader(request.Body, 1<<20))
	if err != nil {
		return err
	}
	// The signature is over the raw bytes, so verify before you parse.
	callback, err := settlement.VerifyCallback(request.Header, body, settlement.Verification{Secrets: []string{receiver.CallbackSecret}})
	if err != nil {
		return err
	}
	receiver.mutex.Lock()
	defer receiver.mutex.Unlock()
	if receiver.handled[callback.ID] {
		return nil
	}
	if err := receiver.Handle(callback); err != nil {
		return err
	}
	if receiver.handled == nil {
		receiver.handled = map[string]bool{}
	}
	receiver.handled[callback.ID] = true
	return nil
}
