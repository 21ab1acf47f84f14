import { randomUUID } from "node:crypto";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { approveSettlementOperation } from "#contract/settlement/v1/decisions.ts";
import { movedTo, readReceipt, tokenBalance } from "#sandbox/client/chain.ts";
import { openReceiver, type Receiver } from "#sandbox/client/receiver.ts";
import type { Settlement } from "#sdk/typescript/src/index.ts";
import { heading, inBaseUnits, insist, read, receiveCallback, type Surroundings, shown, step, tokens } from "./narrator.ts";

const SOURCE = "KES";
const TOKEN = "USDT";
const PATIENCE_MS = 60_000;

/** The main job, played with real parts: every sentence that is printed was checked first. */
export async function playSettlement(surroundings: Surroundings): Promise<void> {
  const receiver = await openReceiver();
  try {
    await play(surroundings, receiver);
  } finally {
    await receiver.close();
  }
}

async function play(surroundings: Surroundings, receiver: Receiver): Promise<void> {
  const { sandbox, partner } = surroundings;
  const [chain] = sandbox.chains;
  const wallet = privateKeyToAddress(generatePrivateKey());
  const balance = () => tokenBalance(chain.rpc_url, chain.tokens[TOKEN], wallet);

  heading("A settlement above the maximum: approved, confirmed, paid on chain, called back");
  const before = await step("Read a fresh wallet's balance from the chain", balance);
  shown({ wallet, balance: tokens(before, TOKEN), "callbacks go to": receiver.url });

  const quoted = await step("Quote one cent above the pair's maximum", () => quoteAboveMaximum(surroundings, wallet, receiver.url));
  shown(terms(quoted));
  const approved = await step("The operator approves; the quote is priced again", () => approve(surroundings, quoted));
  shown(terms(approved));
  await step("The approval callback arrives, both signatures hold", () => checkApproval(surroundings, receiver, approved));
  const external_tx_id = `demo-${randomUUID()}`;
  const confirmed = await step("The partner confirms", () => {
    const body = { external_tx_id, callback_url: receiver.url, expected_destination_amount: approved.destination_amount };
    return partner.settlements.confirm(approved.tx_id, body);
  });
  shown({ status: confirmed.status, external_tx_id });

  const executed = await step("The transfer is mined, and final", () => untilExecuted(surroundings, approved.tx_id));
  shown({ tx_hash: executed.tx_hash ?? "" });
  await step("The terminal callback arrives, both signatures hold", () => checkTerminal(surroundings, receiver, executed));
  const after = await step("Read the wallet's balance again", async () => {
    const owed = inBaseUnits(executed.destination_amount);
    const found = await balance();
    insist(found - before === owed, `the wallet got ${tokens(found - before, TOKEN)} instead of ${tokens(owed, TOKEN)}`);
    const receipt = await readReceipt(chain.rpc_url, executed.tx_hash ?? "");
    insist(receipt !== null && movedTo(receipt, chain.tokens[TOKEN], wallet) === owed, "the transaction moved another amount");
    return found;
  });
  shown({ before: tokens(before, TOKEN), after: tokens(after, TOKEN) });

  heading("In the console");
  const { approver, owner } = sandbox.users;
  shown({
    address: `${sandbox.console_url}/settlements/${executed.tx_id}`,
    "the operator's": `${approver.email}  ${approver.password}`,
    "the partner's": `${owner.email}  ${owner.password}`,
  });
}

async function quoteAboveMaximum({ sandbox, partner }: Surroundings, wallet: string, callbackUrl: string): Promise<Settlement> {
  const [{ chain }] = sandbox.chains;
  const pairs = await partner.prices.pairs();
  const pair = pairs.find((one) => one.source_currency === SOURCE && one.destination_currency === TOKEN && one.chain === chain);
  insist(pair !== undefined, `${SOURCE} to ${TOKEN} is not traded`);
  const body = {
    source_amount: pair.maximum_source_amount + 1,
    source_currency: SOURCE,
    destination_currency: TOKEN,
    external_merchant_id: "demo-merchant",
    chain,
    wallet_address: wallet,
    callback_url: callbackUrl,
  };
  const settlement = await partner.settlements.create(body, { intent: `demo-${randomUUID()}` });
  insist(settlement.approval_state === "pending", `it awaits no approval: ${settlement.approval_state}`);
  return settlement;
}

async function approve({ operator }: Surroundings, quoted: Settlement): Promise<Settlement> {
  const answer = await operator.call("POST", `/admins/settlements/${quoted.tx_id}/approve`, { note: "Seen in the demo." });
  const settlement = read(approveSettlementOperation, answer);
  insist(settlement.approval_state === "approved", `its approval is ${settlement.approval_state}`);
  insist(settlement.expires_at > quoted.expires_at, "its expiry was not refreshed");
  return settlement;
}

async function checkApproval(surroundings: Surroundings, receiver: Receiver, approved: Settlement): Promise<void> {
  const callback = await receiveCallback(surroundings, receiver, 1, "settlement.approved", PATIENCE_MS);
  insist(callback.tx_id === approved.tx_id, "it is about another settlement");
  insist(callback.destination_amount === approved.destination_amount, "it reports another amount");
}

async function untilExecuted({ partner }: Surroundings, txId: string): Promise<Settlement> {
  const settlement = await partner.settlements.waitForTerminal(txId, { timeoutMs: PATIENCE_MS, everyMs: 100 });
  insist(settlement.status === "executed", `it is ${settlement.status}: ${settlement.failure_reason ?? "no reason given"}`);
  return settlement;
}

async function checkTerminal(surroundings: Surroundings, receiver: Receiver, executed: Settlement): Promise<void> {
  const callback = await receiveCallback(surroundings, receiver, 2, "settlement.executed", PATIENCE_MS);
  insist(callback.tx_id === executed.tx_id, "it is about another settlement");
  insist(callback.tx_hash === executed.tx_hash, "it reports another transaction");
}

function terms(settlement: Settlement): Record<string, string> {
  return {
    tx_id: settlement.tx_id,
    state: `${settlement.status}, ${settlement.approval_state ?? "no approval needed"}`,
    "exchange rate": `${settlement.exchange_rate} ${TOKEN} per ${SOURCE}`,
    "to be delivered": `${settlement.destination_amount} ${TOKEN} after a fee of ${settlement.platform_fee}`,
    "valid until": settlement.expires_at,
  };
}
