import { Refused, type SettlementClient } from "settlement-sdk";

/** An order of yours. `amount` is in minor units: 250000 is 2,500.00. `wallet` gets the crypto. */
export type Order = { id: string; amount: number; merchant: string; wallet: string };

/**
 * Pays an order and returns the settlement's id. After a crash or a lost answer, call this again with the same order, at any time: it pays
 * once. The service confirms only one settlement with the order's id as external_tx_id.
 */
export async function pay(client: SettlementClient, order: Order, callbackUrl: string): Promise<string> {
  const [pair] = await client.prices.pairs();
  if (pair === undefined) throw new Error("Your partner has no currency pair yet.");
  const asked = {
    source_amount: order.amount,
    source_currency: pair.source_currency,
    destination_currency: pair.destination_currency,
    chain: pair.chain,
    external_merchant_id: order.merchant,
    wallet_address: order.wallet,
  };
  // An intent returns the same quote for a day. Once that has expired, a new quote needs a new intent.
  for (let attempt = 1; ; attempt++) {
    const quote = await client.settlements.create(asked, { intent: attempt === 1 ? order.id : `${order.id}-${attempt}` });
    // Show the quote to your merchant here if they decide. The service confirms only the amount that you expect.
    try {
      await client.settlements.confirm(quote.tx_id, {
        external_tx_id: order.id,
        expected_destination_amount: quote.destination_amount,
        callback_url: callbackUrl,
      });
      return quote.tx_id;
    } catch (error) {
      if (!Refused.is(error, "quote_expired")) throw error;
    }
  }
}
