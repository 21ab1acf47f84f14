import { GO_CLIENT, PHP_CLIENT, THE_CLIENT } from "./in-languages.ts";
import { SAMPLE_WALLET } from "./samples.ts";

/** A batch of two payments from its creation to its end, in the order of `ALL_CLIENTS`. */
export const BATCH_PROGRAMS: readonly string[] = [
  `${THE_CLIENT.typescript.replace("{ SettlementClient }", "{ expectedTotal, SettlementClient }")}

const [pair] = await client.prices.pairs();
if (pair === undefined) throw new Error("You have no pair that may be quoted.");
const items = ["salary-1", "salary-2"].map((external_tx_id) => ({
  external_tx_id,
  source_amount: pair.minimum_source_amount * 10,
  source_currency: pair.source_currency,
  destination_currency: pair.destination_currency,
  chain: pair.chain,
  external_merchant_id: "shop-1",
  wallet_address: "${SAMPLE_WALLET}",
}));
const batch = await client.batches.create({ external_batch_id: "salaries-1", items });
await client.batches.confirm(batch.batch_id, {
  expected_total: expectedTotal(batch.totals),
  callback_url: "https://partner.example/callbacks",
});
const ended = await client.batches.waitForTerminal(batch.batch_id);
console.log(ended.status, ended.counts);`,
  `${THE_CLIENT.python.replace("import SettlementClient", "import SettlementClient, expected_total")}

pair = client.prices.pairs()[0]
items = [
    {
        "external_tx_id": external_tx_id,
        "source_amount": pair["minimum_source_amount"] * 10,
        "source_currency": pair["source_currency"],
        "destination_currency": pair["destination_currency"],
        "chain": pair["chain"],
        "external_merchant_id": "shop-1",
        "wallet_address": "${SAMPLE_WALLET}",
    }
    for external_tx_id in ("salary-1", "salary-2")
]
batch = client.batches.create({"external_batch_id": "salaries-1", "items": items})
client.batches.confirm(
    batch["batch_id"],
    expected_total=expected_total(batch["totals"]),
    callback_url="https://partner.example/callbacks",
)
ended = client.batches.wait_for_terminal(batch["batch_id"])
print(ended["status"], ended["counts"])`,
  `${GO_CLIENT}
pairs, err := client.Prices.Pairs(ctx)
if err != nil || len(pairs) == 0 {
	log.Fatal("you have no pair that may be quoted: ", err)
}
items := []settlement.BatchItem{}
for _, externalTxID := range []string{"salary-1", "salary-2"} {
	items = append(items, settlement.BatchItem{
		ExternalTxID:        externalTxID,
		SourceAmount:        pairs[0].MinimumSourceAmount * 10,
		SourceCurrency:      pairs[0].SourceCurrency,
		DestinationCurrency: pairs[0].DestinationCurrency,
		Chain:               pairs[0].Chain,
		ExternalMerchantID:  "shop-1",
		WalletAddress:       "${SAMPLE_WALLET}",
	})
}
batch, err := client.Batches.Create(ctx, settlement.BatchCreate{ExternalBatchID: "salaries-1", Items: items})
if err != nil {
	log.Fatal(err)
}
_, err = client.Batches.Confirm(ctx, batch.BatchID, settlement.BatchConfirmation{
	ExpectedTotal: settlement.ExpectedTotal(batch.Totals),
	CallbackURL:   "https://partner.example/callbacks",
})
if err != nil {
	log.Fatal(err)
}
ended, err := client.Batches.WaitForTerminal(ctx, batch.BatchID, settlement.Waiting{})
if err != nil {
	log.Fatal(err)
}
fmt.Printf("%s %+v\\n", ended.Status, ended.Counts)`,
  `${PHP_CLIENT.replace("use SettlementSdk\\Settle", "use SettlementSdk\\ExpectedTotal;\nuse SettlementSdk\\Settle")}

$pair = $client->prices->pairs()[0];
$item = fn (string $external_tx_id) => new Types\\BatchItem(
    external_tx_id: $external_tx_id,
    source_amount: $pair->minimum_source_amount * 10,
    source_currency: $pair->source_currency,
    destination_currency: $pair->destination_currency,
    chain: $pair->chain,
    external_merchant_id: 'shop-1',
    wallet_address: '${SAMPLE_WALLET}',
);
$batch = $client->batches->create(new Types\\BatchCreate(external_batch_id: 'salaries-1', items: [$item('salary-1'), $item('salary-2')]));
$client->batches->confirm($batch->batch_id, new Types\\BatchConfirmation(
    expected_total: ExpectedTotal::of($batch->totals),
    callback_url: 'https://partner.example/callbacks',
));
$ended = $client->batches->waitForTerminal($batch->batch_id);
echo "$ended->status: {$ended->counts->executed} executed\\n";`,
];
