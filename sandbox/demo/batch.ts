import { randomUUID } from "node:crypto";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { movedTo, type Receipt, readReceipt, tokenBalance } from "#sandbox/client/chain.ts";
import { openReceiver, type Receiver } from "#sandbox/client/receiver.ts";
import type { Settlement } from "#sdk/typescript/src/index.ts";
import { heading, inBaseUnits, insist, receiveCallback, type Surroundings, shown, step, tokens } from "./narrator.ts";

const TOKEN = "USDT";
const ITEMS = 500;
/** The item that the token will refuse, among the others. */
const BLOCKED_PLACE = 250;
/** 200.00 KES and up, each item another amount. */
const LEAST_MINOR = 20_000;
const PATIENCE_MS = 180_000;

/** 500 payments in one call, one of them to a wallet that the token refuses: every sentence that is printed was checked first. */
export async function playBatch(surroundings: Surroundings): Promise<void> {
  const receiver = await openReceiver();
  try {
    await play(surroundings, receiver);
  } finally {
    await receiver.close();
  }
}

async function play(surroundings: Surroundings, receiver: Receiver): Promise<void> {
  const { sandbox, partner } = surroundings;
  const body = batchBody(surroundings, receiver.url);

  heading(`A batch of ${ITEMS} payments, one of them to a blocked wallet`);
  const made = await step(`Quote ${ITEMS} payments in one call`, () => partner.batches.create(body));
  insist(made.items.length === ITEMS && made.approval_state === null, "it is not whole, or waits for an approval");
  const [total] = made.totals;
  insist(total !== undefined && made.totals.length === 1, "its items are of one pair");
  shown({ batch_id: made.batch_id, "to be delivered": `${total.destination_amount} ${TOKEN}`, "valid until": made.expires_at });
  await step("The same call again finds the same batch", async () => {
    const again = await partner.batches.create(body);
    insist(again.batch_id === made.batch_id && again.item_count === ITEMS, "a repeat made another batch");
  });
  await step("Confirm all of them, at the total that was quoted", async () => {
    const expected_total = { [TOKEN]: total.destination_amount };
    const confirmed = await partner.batches.confirm(made.batch_id, { expected_total });
    insist(confirmed.counts.processing === ITEMS, "not all of its items are in processing");
  });
  const completed = await step("Every item ends on the chain", () =>
    partner.batches.waitForTerminal(made.batch_id, { timeoutMs: PATIENCE_MS, everyMs: 500 }),
  );
  const { executed, failed } = completed.counts;
  insist(executed === ITEMS - 1 && failed === 1, `${executed} were executed and ${failed} have failed`);
  shown({ executed: String(executed), failed: String(failed) });
  await step("Its one callback arrives, both signatures hold", async () => {
    const callback = await receiveCallback(surroundings, receiver, 1, "batch.completed", PATIENCE_MS);
    insist(callback.batch_id === made.batch_id && callback.counts.executed === executed, "it reports something else");
  });
  const { items, receipts } = await step("Each wallet got its exact amount, the blocked none", () =>
    checkPaid(surroundings, made.batch_id),
  );
  const refused = items.find(({ status }) => status === "failed");
  const gas = [...receipts.values()].reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0);
  insist(receipts.size < executed / 4, "its payments were not packed");
  shown({
    "the one that failed": refused?.failure_reason ?? "",
    "transactions on chain": `${receipts.size} for ${executed} payments`,
    "gas for each payment": Math.round(gas / executed).toLocaleString("en"),
  });

  heading("In the console");
  const { owner } = sandbox.users;
  shown({ address: `${sandbox.console_url}/batches/${made.batch_id}`, "the partner's": `${owner.email}  ${owner.password}` });
}

function batchBody({ sandbox }: Surroundings, callbackUrl: string) {
  const run = randomUUID();
  const [{ chain }] = sandbox.chains;
  const items = Array.from({ length: ITEMS }, (_, place) => ({
    external_tx_id: `demo-${run}-${place}`,
    source_amount: LEAST_MINOR + place,
    source_currency: "KES",
    destination_currency: TOKEN,
    external_merchant_id: `demo-merchant-${place}`,
    chain,
    wallet_address: place === BLOCKED_PLACE ? sandbox.outcomes.blocked_wallet : privateKeyToAddress(generatePrivateKey()),
  }));
  return { external_batch_id: `demo-${run}`, items, callback_url: callbackUrl };
}

/** Compares what each wallet holds, and each transaction's own logs, with what its settlement says. Answers the receipts, by hash. */
async function checkPaid({ sandbox, partner }: Surroundings, batchId: string) {
  const [chain] = sandbox.chains;
  const token = chain.tokens[TOKEN];
  const receipts = new Map<string, Receipt>();
  const items: Settlement[] = [];
  for await (const item of partner.settlements.list({ batch_id: batchId, limit: 100 })) {
    const { tx_hash: hash, wallet_address: wallet } = item;
    const isBlocked = wallet === sandbox.outcomes.blocked_wallet;
    insist(item.status === (isBlocked ? "failed" : "executed"), `${item.tx_id} is ${item.status}`);
    const owed = isBlocked ? 0n : inBaseUnits(item.destination_amount);
    const held = await tokenBalance(chain.rpc_url, token, wallet);
    insist(held === owed, `${wallet} holds ${tokens(held, TOKEN)} instead of ${tokens(owed, TOKEN)}`);
    insist(isBlocked === (hash === undefined), `the transaction of ${item.tx_id} is ${hash}`);
    items.push(item);
    if (hash === undefined) continue;
    const receipt = receipts.get(hash) ?? (await readReceipt(chain.rpc_url, hash));
    if (receipt === null || receipt.status !== "0x1" || movedTo(receipt, token, wallet) !== owed)
      throw new Error(`the chain does not show the payment of ${item.tx_id} in ${hash}`);
    receipts.set(hash, receipt);
  }
  insist(items.length === ITEMS, `the batch has ${items.length} items`);
  return { items, receipts };
}
