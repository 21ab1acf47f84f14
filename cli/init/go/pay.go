package main

import (
	"context"
	"errors"

	"settlement.example/go/settlement"
)

// Order is an order of yours. Amount is in minor units: 250000 is 2,500.00. Wallet gets the crypto.
type Order struct {
	ID       string
	Amount   int64
	Merchant string
	Wallet   string
}

// Pay pays an order and returns the settlement's id. The order's id makes a repeat safe: after a crash or a lost answer,
// call this again with the same order, and it still pays once.
func Pay(ctx context.Context, client *settlement.Client, order Order, callbackURL string) (string, error) {
	pairs, err := client.Prices.Pairs(ctx)
	if err != nil {
		return "", err
	}
	if len(pairs) == 0 {
		return "", errors.New("your partner has no currency pair yet")
	}
	quote, err := client.Settlements.Create(ctx, order.ID, settlement.SettlementCreate{
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
	return quote.TxID, err
}
