package main

import (
	"context"
	"errors"
	"fmt"

	"settlement.example/go/settlement"
)

// Order is an order of yours. Amount is in minor units: 250000 is 2,500.00. Wallet gets the crypto.
type Order struct {
	ID       string
	Amount   int64
	Merchant string
	Wallet   string
}

// Pay pays an order and returns the settlement's id. After a crash or a lost answer, call this again with the same order,
// at any time: it pays once. The service confirms only one settlement with the order's id as external_tx_id.
func Pay(ctx context.Context, client *settlement.Client, order Order, callbackURL string) (string, error) {
	pairs, err := client.Prices.Pairs(ctx)
	if err != nil {
		return "", err
	}
	if len(pairs) == 0 {
		return "", errors.New("your partner has no currency pair yet")
	}
	// An intent returns the same quote for a day. Once that has expired, a new quote needs a new intent.
	intent := order.ID
	for attempt := 2; ; attempt++ {
		quote, err := client.Settlements.Create(ctx, intent, settlement.SettlementCreate{
			SourceAmount:        order.Amount,
			SourceCurrency:      pairs[0].SourceCurrency,
			DestinationCurrency: pairs[0].DestinationCurrency,
			Chain:               pairs[0].Chain,
			ExternalMerchantID:  order.Merchant,
			WalletAddress:       order.Wallet,
		})
		if err != nil {
			return "", err
		}
		// Show the quote to your merchant here if they decide. The service confirms only the amount that you expect.
		_, err = client.Settlements.Confirm(ctx, quote.TxID, settlement.SettlementConfirmation{
			ExternalTxID:              order.ID,
			ExpectedDestinationAmount: quote.DestinationAmount,
			CallbackURL:               callbackURL,
		})
		if !settlement.IsRefused(err, "quote_expired") {
			return quote.TxID, err
		}
		intent = fmt.Sprintf("%s-%d", order.ID, attempt)
	}
}
