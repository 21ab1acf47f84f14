import { randomUUID } from "node:crypto";
import { familyOf, lapsingSettingsOf, newWalletOf } from "#sandbox/chain/families.ts";
import { openReceiver, type Receiver } from "#sandbox/client/receiver.ts";
import type { Family } from "#sandbox/settings.ts";
import type { Settlement } from "#sdk/typescript/src/index.ts";
import { openLapsingChains } from "#server/adapters/chain/open-lapsing-chains.ts";
import { heading, inBaseUnits, insist, receiveCallback, type Surroundings, shown, step, tokens } from "./narrator.ts";

const SOURCE = "KES";
const TOKEN = "USDC";
const AMOUNT = 250_000;
const PATIENCE_MS = 90_000;

/** A settlement on a chain of another family than EVM's: quoted, confirmed, paid once, called back. Every sentence that is printed was checked first. */
export function playFamily(family: Family): (surroundings: Surroundings) => Promise<void> {
  return async (surroundings) => {
    const receiver = await openReceiver();
    try {
      await play(surroundings, family, receiver);
    } finally {
      await receiver.close();
    }
  };
}

async function play(surroundings: Surroundings, family: Family, receiver: Receiver): Promise<void> {
  const { sandbox, partner } = surroundings;
  const place = sandbox.chains.find(({ chain }) => familyOf(chain) === family);
  const settings = place && lapsingSettingsOf(place);
  insist(
    place !== undefined && settings != null,
    `this sandbox has no ${family}: start it without SANDBOX_CHAINS, or with ${family} in it`,
  );
  const [chain] = openLapsingChains([settings], { isLive: false }).list();
  const [node] = chain?.nodes ?? [];
  const token = place.tokens[TOKEN] ?? "";
  insist(node !== undefined, "the chain has no node");
  const wallet = newWalletOf(family);
  const balance = () => node.balance(wallet, token);

  heading(`A settlement on ${settings.name}, whose signed payments lapse by themselves`);
  const before = await step("Read a fresh wallet's balance from the chain", balance);
  shown({ chain: place.chain, wallet, balance: tokens(before, TOKEN), "callbacks go to": receiver.url });

  const body = {
    source_amount: AMOUNT,
    source_currency: SOURCE,
    destination_currency: TOKEN,
    external_merchant_id: "demo-merchant",
    chain: place.chain,
    wallet_address: wallet,
    callback_url: receiver.url,
  };
  const quoted = await step("Quote a payment", () => partner.settlements.create(body, { intent: `demo-${randomUUID()}` }));
  shown({ tx_id: quoted.tx_id, "to be delivered": `${quoted.destination_amount} ${TOKEN} after a fee of ${quoted.platform_fee}` });
  await step("The partner confirms", () =>
    partner.settlements.confirm(quoted.tx_id, {
      external_tx_id: `demo-${randomUUID()}`,
      callback_url: receiver.url,
      expected_destination_amount: quoted.destination_amount,
    }),
  );
  const executed = await step("The payment is in a block, and final", () => untilExecuted(surroundings, quoted.tx_id));
  shown({ tx_hash: executed.tx_hash ?? "" });
  await step("The terminal callback arrives, both signatures hold", async () => {
    const callback = await receiveCallback(surroundings, receiver, 1, "settlement.executed", PATIENCE_MS);
    insist(callback.tx_hash === executed.tx_hash, "it reports another transaction");
  });
  const after = await step("Read the wallet's balance again", async () => {
    const found = await balance();
    const owed = inBaseUnits(executed.destination_amount);
    insist(found - before === owed, `the wallet got ${tokens(found - before, TOKEN)} instead of ${tokens(owed, TOKEN)}`);
    return found;
  });
  shown({ before: tokens(before, TOKEN), after: tokens(after, TOKEN), address: `${sandbox.console_url}/settlements/${executed.tx_id}` });
}

async function untilExecuted({ partner }: Surroundings, txId: string): Promise<Settlement> {
  const settlement = await partner.settlements.waitForTerminal(txId, { timeoutMs: PATIENCE_MS, everyMs: 100 });
  insist(settlement.status === "executed", `it is ${settlement.status}: ${settlement.failure_reason ?? "no reason given"}`);
  return settlement;
}
