import type { SettlementClient } from "settlement-sdk";

/** An order of yours. `amount` is in minor units: 250000 is 2,500.00. `wallet` gets the crypto. */
export type Order = { id: string; amount: number; merchant: string; wallet: string };

/**
 * Pays an order and returns the settlement's id. The order's id makes a repeat safe: after a crash or a lost answer, call this again with the
 * same order, and it still pays once.
 */
export async function pay(client: SettlementClient, order: Order, callbackUrl: string): Promise<string> {
  const [pair] = await client.prices.pairs();
  if (pair === undefined) throw new Error("Your partner has no currency pair yet.");
  const quote = await client.settlements.create(
    {
      source_amount: order.amount,
      source_currency: pair.source_currency,
      destination_currency: pair.destination_currency,
      chain: pair.chain,
      external_merchant_id: order.merchant,
      wallet_address: order.wallet,
    },
    { intent: order.id },
  );
  // Show the quote to your merchant here if they decide. The service confirms only the amount that you expect.
  await client.settlements.confirm(quote.tx_id, {
    external_tx_id: order.id,
    expected_destination_amount: quote.destination_amount,
    callback_url: callbackUrl,
  });
  return quote.tx_id;
}
