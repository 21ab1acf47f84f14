<?php

declare(strict_types=1);

use SettlementSdk\Refused;
use SettlementSdk\SettlementClient;
use SettlementSdk\Types\SettlementConfirmation;
use SettlementSdk\Types\SettlementCreate;

/** An order of yours. `amount` is in minor units: 250000 is 2,500.00. `wallet` gets the crypto. */
final readonly class Order
{
    public function __construct(
        public string $id,
        public int $amount,
        public string $merchant,
        public string $wallet,
    ) {
    }
}

/**
 * Pays an order and returns the settlement's id. After a crash or a lost answer, call this again with the same order, at any time: it pays
 * once. The service confirms only one settlement with the order's id as external_tx_id.
 */
function pay(SettlementClient $client, Order $order, string $callback_url): string
{
    $pair = $client->prices->pairs()[0] ?? throw new RuntimeException('Your partner has no currency pair yet.');
    $asked = new SettlementCreate(
        source_amount: $order->amount,
        source_currency: $pair->source_currency,
        destination_currency: $pair->destination_currency,
        chain: $pair->chain,
        external_merchant_id: $order->merchant,
        wallet_address: $order->wallet,
    );
    // An intent returns the same quote for a day. Once that has expired, a new quote needs a new intent.
    for ($attempt = 1; ; $attempt++) {
        $quote = $client->settlements->create($asked, intent: $attempt === 1 ? $order->id : "$order->id-$attempt");
        // Show the quote to your merchant here if they decide. The service confirms only the amount that you expect.
        try {
            $client->settlements->confirm($quote->tx_id, new SettlementConfirmation(
                external_tx_id: $order->id,
                expected_destination_amount: $quote->destination_amount,
                callback_url: $callback_url,
            ));
            return $quote->tx_id;
        } catch (Refused $refused) {
            if ($refused->error_code !== 'quote_expired') {
                throw $refused;
            }
        }
    }
}
