import { randomInt, randomUUID } from "node:crypto";
import { tokenBalance } from "#sandbox/client/chain.ts";
import { openReceiver, type Receiver } from "#sandbox/client/receiver.ts";
import type { SettlementClient } from "#sdk/typescript/src/index.ts";
import { heading, inBaseUnits, insist, receiveCallback, type Surroundings, shown, step, tokens } from "./narrator.ts";

const CURRENCY = "KES";
const TOKEN = "USDT";
const TOPUP_MINOR = 1_000_000;
const WITHDRAW_MINOR = 400_000;
const PATIENCE_MS = 90_000;
const WAITING = { timeoutMs: PATIENCE_MS, everyMs: 100 };
type Order = { id: string; status: string; tx_hash: string | null; failure_reason: string | null };

/** Fiat in and out for a member of the demo partner's, with real parts: every sentence that is printed was checked first. */
export async function playFiat(surroundings: Surroundings): Promise<void> {
  const receiver = await openReceiver();
  try {
    await play(new Stage(surroundings, receiver));
  } finally {
    await receiver.close();
  }
}

async function play(stage: Stage): Promise<void> {
  const { receiver, chain } = stage;
  heading("A member tops up with mobile money, and withdraws some of it again");
  const member = await step("Register a member; a Safe is deployed for it", () => stage.registerMember());
  const safe = member.wallet_address;
  const poolBefore = await stage.pool();
  shown({ member: member.external_user_id, safe, "callbacks go to": receiver.url, pool: fiat(poolBefore.available) });

  const topup = await step("Ask for a top-up", () => stage.requestTopup(member));
  shown({
    id: topup.id,
    "to collect": fiat(topup.amount),
    "to deliver": `${topup.destination_amount} ${TOKEN}`,
    payment: topup.payment.instructions ?? "",
  });
  const sent = await step("The provider collects, the crypto is sent and final", () =>
    completed(stage.partner.topups.waitForTerminal(topup.id, WAITING)),
  );
  shown({ tx_hash: sent.tx_hash ?? "", "provider's reference": sent.provider_reference ?? "" });
  await step("The callback arrives, both signatures hold", () => stage.checkCallback(1, "topup.completed", sent));
  const delivered = inBaseUnits(sent.destination_amount);
  await step("The chain says that the Safe holds exactly that", async () => {
    insist((await stage.balance(safe)) === delivered, `the Safe does not hold ${tokens(delivered, TOKEN)}`);
  });
  shown({ balance: tokens(delivered, TOKEN) });

  const treasuryBefore = await stage.balance(stage.treasury);
  const withdrawal = await step("Ask for a withdrawal out of the member's Safe", () => stage.requestWithdrawal(member));
  shown({ id: withdrawal.id, "to pay out": fiat(withdrawal.amount), "to take": `${withdrawal.source_amount} ${TOKEN}` });
  await step("The pool holds the amount for it", async () => {
    const pool = await stage.pool();
    insist(pool.reserved >= withdrawal.amount, `the pool has only ${fiat(pool.reserved)} reserved`);
  });
  const paid = await step("The Safe is swept, and only then the provider pays out", () =>
    completed(stage.partner.withdrawals.waitForTerminal(withdrawal.id, WAITING)),
  );
  shown({ tx_hash: paid.tx_hash ?? "", "provider's reference": paid.provider_reference ?? "" });
  await step("The callback arrives, both signatures hold", () => stage.checkCallback(2, "withdrawal.completed", paid));
  const taken = inBaseUnits(paid.source_amount);
  await step("Safe and treasury agree with it to the last unit", async () => {
    insist((await stage.balance(safe)) === delivered - taken, "the Safe holds another amount");
    insist((await stage.balance(stage.treasury)) - treasuryBefore === taken, `${chain.chain}'s treasury got another amount`);
  });
  shown({ "balance of the Safe": tokens(delivered - taken, TOKEN) });
}

/** What the scene is played with. */
class Stage {
  readonly receiver: Receiver;
  readonly partner: SettlementClient;
  readonly chain: Surroundings["sandbox"]["chains"][0];
  readonly treasury: string;
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings, receiver: Receiver) {
    const { sandbox, partner } = surroundings;
    this.receiver = receiver;
    this.partner = partner;
    this.chain = sandbox.chains[0];
    this.treasury = sandbox.treasury.address;
    this.#surroundings = surroundings;
  }

  balance(wallet: string): Promise<bigint> {
    return tokenBalance(this.chain.rpc_url, this.chain.tokens[TOKEN], wallet);
  }

  async pool() {
    const pools = await this.partner.withdrawals.pools();
    const pool = pools.find(({ currency }) => currency === CURRENCY);
    insist(pool !== undefined, `there is no pool of ${CURRENCY}`);
    return pool;
  }

  async registerMember() {
    const body = { external_user_id: `demo-${randomUUID()}`, phone: `+2547${randomInt(10_000_000, 99_000_000)}`, name: "Wanjiru" };
    const { external_user_id } = await this.partner.members.create(body);
    return await this.partner.members.waitForSafe(external_user_id, WAITING);
  }

  async requestTopup({ external_user_id, phone }: { external_user_id: string; phone: string }) {
    const body = {
      external_id: `demo-${randomUUID()}`,
      external_user_id,
      amount: TOPUP_MINOR,
      currency: CURRENCY,
      destination_currency: TOKEN,
      chain: this.chain.chain,
      source: { type: "mobile_money" as const, account: phone },
      callback_url: this.receiver.url,
    };
    return await this.partner.topups.create(body);
  }

  async requestWithdrawal({ external_user_id, phone }: { external_user_id: string; phone: string }) {
    const body = {
      external_id: `demo-${randomUUID()}`,
      external_user_id,
      amount: WITHDRAW_MINOR,
      currency: CURRENCY,
      source_currency: TOKEN,
      chain: this.chain.chain,
      destination: { type: "mobile_money" as const, account: phone, name: "Wanjiru" },
      callback_url: this.receiver.url,
    };
    return await this.partner.withdrawals.createForMember(body);
  }

  async checkCallback(number: number, event: "topup.completed" | "withdrawal.completed", order: Order): Promise<void> {
    const callback = await receiveCallback(this.#surroundings, this.receiver, number, event, PATIENCE_MS);
    insist(callback.id === order.id, `it is about ${callback.id}`);
    insist(callback.status === order.status && callback.tx_hash === order.tx_hash, "it reports another end");
  }
}

async function completed<Found extends Order>(ended: Promise<Found>): Promise<Found> {
  const order = await ended;
  insist(order.status === "completed", `it failed: ${order.failure_reason}`);
  return order;
}

function fiat(minor: number): string {
  return `${CURRENCY} ${(minor / 100).toFixed(2)}`;
}
