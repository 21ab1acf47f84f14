import type { Site } from "../_parts/site.ts";
import { ALL_CLIENTS } from "./in-languages.ts";
import { asServed } from "./programs.ts";
import { SAMPLE_SOURCE_AMOUNT, SAMPLE_SOURCE_CURRENCY, SAMPLE_WALLET } from "./samples.ts";

/** A settlement from its quote to its end, in the order of `ALL_CLIENTS`. */
const TEXTS = [
  `const quote = await client.settlements.create(
  {
    source_amount: ${SAMPLE_SOURCE_AMOUNT},
    source_currency: "${SAMPLE_SOURCE_CURRENCY}",
    destination_currency: "USDT",
    external_merchant_id: "merchant-7",
    chain: "eip155:31337",
    wallet_address: "${SAMPLE_WALLET}",
  },
  { intent: "order-1001" },
);
await client.settlements.confirm(quote.tx_id, {
  external_tx_id: "order-1001",
  expected_destination_amount: quote.destination_amount,
  callback_url: "https://partner.example/callbacks",
});
const settlement = await client.settlements.waitForTerminal(quote.tx_id);
console.log(settlement.status);`,
  `quote = client.settlements.create(
    {
        "source_amount": ${SAMPLE_SOURCE_AMOUNT},
        "source_currency": "${SAMPLE_SOURCE_CURRENCY}",
        "destination_currency": "USDT",
        "external_merchant_id": "merchant-7",
        "chain": "eip155:31337",
        "wallet_address": "${SAMPLE_WALLET}",
    },
    intent="order-1001",
)
client.settlements.confirm(
    quote["tx_id"],
    external_tx_id="order-1001",
    expected_destination_amount=quote["destination_amount"],
    callback_url="https://partner.example/callbacks",
)
settlement = client.settlements.wait_for_terminal(quote["tx_id"])
print(settlement["status"])`,
  `quote, err := client.Settlements.Create(ctx, "order-1001", settlement.SettlementCreate{
	SourceAmount:        ${SAMPLE_SOURCE_AMOUNT},
	SourceCurrency:      "${SAMPLE_SOURCE_CURRENCY}",
	DestinationCurrency: "USDT",
	ExternalMerchantID:  "merchant-7",
	Chain:               "eip155:31337",
	WalletAddress:       "${SAMPLE_WALLET}",
})
if err != nil {
	log.Fatal(err)
}
_, err = client.Settlements.Confirm(ctx, quote.TxID, settlement.SettlementConfirmation{
	ExternalTxID:              "order-1001",
	ExpectedDestinationAmount: quote.DestinationAmount,
	CallbackURL:               "https://partner.example/callbacks",
})
if err != nil {
	log.Fatal(err)
}
ended, err := client.Settlements.WaitForTerminal(ctx, quote.TxID, settlement.Waiting{})
if err != nil {
	log.Fatal(err)
}
fmt.Println(ended.Status)`,
  `$quote = $client->settlements->create(new Types\\SettlementCreate(
    source_amount: ${SAMPLE_SOURCE_AMOUNT},
    source_currency: '${SAMPLE_SOURCE_CURRENCY}',
    destination_currency: 'USDT',
    external_merchant_id: 'merchant-7',
    chain: 'eip155:31337',
    wallet_address: '${SAMPLE_WALLET}',
), intent: 'order-1001');
$client->settlements->confirm($quote->tx_id, new Types\\SettlementConfirmation(
    external_tx_id: 'order-1001',
    expected_destination_amount: $quote->destination_amount,
    callback_url: 'https://partner.example/callbacks',
));
$settlement = $client->settlements->waitForTerminal($quote->tx_id);
echo "$settlement->status\\n";`,
] as const;

/** With its client, in each language. */
export function sdkOverview(site: Site): { name: string; language: string; text: string }[] {
  return ALL_CLIENTS.map(({ name, language, text }, place) => ({
    name,
    language,
    text: `${text}\n\n${asServed(TEXTS[place] ?? "", site)}`,
  }));
}
