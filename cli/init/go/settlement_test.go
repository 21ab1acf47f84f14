package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"settlement.example/go/settlement"
)

// delivery is what a callback sent.
type delivery struct {
	header http.Header
	body   []byte
}

// stage is a paid order, and a receiver that keeps what it receives. The sandbox pays the order on its own chain.
type stage struct {
	t      *testing.T
	client *settlement.Client
	order  Order
	txID   string
	url    string

	mutex      sync.Mutex
	callbacks  []*settlement.VerifiedCallback
	deliveries []delivery
}

func newStage(t *testing.T) *stage {
	settings, err := ReadSettings()
	if err != nil {
		t.Fatal(err)
	}
	client, err := settings.Client()
	if err != nil {
		t.Fatal(err)
	}
	order := Order{
		ID:       fmt.Sprintf("order-%d", time.Now().UnixNano()),
		Amount:   250_000,
		Merchant: "shop-1",
		Wallet:   "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
	}
	stage := &stage{t: t, client: client, order: order}
	receiver := &Receiver{CallbackSecret: settings["CALLBACK_SECRET"], Handle: func(callback *settlement.VerifiedCallback) error {
		stage.mutex.Lock()
		defer stage.mutex.Unlock()
		stage.callbacks = append(stage.callbacks, callback)
		return nil
	}}
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		stage.mutex.Lock()
		stage.deliveries = append(stage.deliveries, delivery{request.Header.Clone(), body})
		stage.mutex.Unlock()
		request.Body = io.NopCloser(bytes.NewReader(body))
		receiver.ServeHTTP(answer, request)
	}))
	t.Cleanup(server.Close)
	stage.url = server.URL + "/callbacks"
	stage.txID = stage.pay()
	return stage
}

func (stage *stage) pay() string {
	txID, err := Pay(context.Background(), stage.client, stage.order, stage.url)
	if err != nil {
		stage.t.Fatal(err)
	}
	return txID
}

// arrived returns the callback and what it sent, within 30 s.
func (stage *stage) arrived() (*settlement.VerifiedCallback, delivery) {
	for attempt := 0; attempt < 300; attempt++ {
		stage.mutex.Lock()
		if len(stage.callbacks) > 0 {
			defer stage.mutex.Unlock()
			return stage.callbacks[0], stage.deliveries[0]
		}
		stage.mutex.Unlock()
		time.Sleep(100 * time.Millisecond)
	}
	stage.t.Fatal("no callback came within 30 s")
	return nil, delivery{}
}

// post sends what a callback sends, and returns the status of the answer.
func (stage *stage) post(header http.Header, body []byte) int {
	request, err := http.NewRequest(http.MethodPost, stage.url, bytes.NewReader(body))
	if err != nil {
		stage.t.Fatal(err)
	}
	for name, values := range header {
		if strings.HasPrefix(strings.ToLower(name), "webhook-") {
			request.Header[name] = values
		}
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		stage.t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

func (stage *stage) handledOnce() {
	stage.mutex.Lock()
	defer stage.mutex.Unlock()
	if len(stage.callbacks) != 1 {
		stage.t.Fatalf("%d callbacks were handled, not 1", len(stage.callbacks))
	}
}

func TestAnOrderIsPaidOnceAndItsCallbackArrives(t *testing.T) {
	stage := newStage(t)
	if again := stage.pay(); again != stage.txID {
		t.Fatalf("the same order became %s and %s", stage.txID, again)
	}
	settled, err := stage.client.Settlements.WaitForTerminal(context.Background(), stage.txID, settlement.Waiting{})
	if err != nil {
		t.Fatal(err)
	}
	if settled.Status != "executed" {
		t.Fatalf("the settlement is %s", settled.Status)
	}
	if callback, _ := stage.arrived(); callback.Event != "settlement.executed" {
		t.Fatalf("the callback is %s", callback.Event)
	}
	paid, err := stage.client.Settlements.List(settlement.ListSettlementsQuery{ExternalTxID: stage.order.ID}).All(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(paid) != 1 || paid[0].TxID != stage.txID {
		t.Fatalf("the order has %d settlements", len(paid))
	}
}

func TestACopyOfACallbackChangesNothing(t *testing.T) {
	stage := newStage(t)
	_, sent := stage.arrived()
	if status := stage.post(sent.header, sent.body); status != http.StatusOK {
		t.Fatalf("a copy got %d", status)
	}
	stage.handledOnce()
}

func TestOfTwoCopiesAtTheSameTimeOneIsHandled(t *testing.T) {
	stage := newStage(t)
	_, sent := stage.arrived()
	var handled int32
	settings, _ := ReadSettings()
	slow := httptest.NewServer(&Receiver{CallbackSecret: settings["CALLBACK_SECRET"], Handle: func(*settlement.VerifiedCallback) error {
		time.Sleep(100 * time.Millisecond)
		atomic.AddInt32(&handled, 1)
		return nil
	}})
	defer slow.Close()
	stage.url = slow.URL
	var copies sync.WaitGroup
	for count := 0; count < 2; count++ {
		copies.Add(1)
		go func() {
			defer copies.Done()
			if status := stage.post(sent.header, sent.body); status != http.StatusOK {
				t.Errorf("a copy got %d", status)
			}
		}()
	}
	copies.Wait()
	if handled != 1 {
		t.Fatalf("of two copies, %d were handled", handled)
	}
}

func TestAForgedCallbackIsRefused(t *testing.T) {
	stage := newStage(t)
	_, sent := stage.arrived()
	if status := stage.post(sent.header, bytes.ReplaceAll(sent.body, []byte("executed"), []byte("failed"))); status != http.StatusBadRequest {
		t.Fatalf("a changed callback got %d", status)
	}
	if status := stage.post(nil, sent.body); status != http.StatusBadRequest {
		t.Fatalf("a callback without a signature got %d", status)
	}
	stage.handledOnce()
}
