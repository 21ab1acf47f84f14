import { randomInt, randomUUID } from "node:crypto";
import { z } from "zod";
import {
  getWithdrawFiatPoolInfoOperation,
  topupFiatOperation,
  topupFiatStatusOperation,
  withdrawFiatForMemberOperation,
  withdrawFiatStatusOperation,
} from "#contract/partner/fiat-operations.ts";
import { createMemberOperation, getMemberOperation } from "#contract/partner/member-operations.ts";
import { tokenBalance } from "#sandbox/client/chain.ts";
import { type OperatorClient, operatorClient } from "#sandbox/client/partner.ts";
import { openReceiver, type Receiver } from "#sandbox/client/receiver.ts";
import { verifyCallback } from "#sandbox/client/verify-callback.ts";
import { heading, inBaseUnits, insist, read, type Surroundings, shown, step, tokens } from "./narrator.ts";

const CURRENCY = "KES";
const TOKEN = "USDT";
const TOPUP_MINOR = 1_000_000;
const WITHDRAW_MINOR = 400_000;
const PATIENCE_MS = 90_000;
const MEMBERS = "/partners/members";
const TOPUPS = "/partners/transactions/topup-fiat";
const WITHDRAWALS = "/partners/transactions/withdraw-fiat";

const callback = z.object({ event: z.string(), id: z.string(), status: z.string(), tx_hash: z.string().nullable() });
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
    stage.until("completed", async () => read(topupFiatStatusOperation, await stage.api.call("GET", `${TOPUPS}/${topup.id}`))),
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
    stage.until("completed", async () => read(withdrawFiatStatusOperation, await stage.api.call("GET", `${WITHDRAWALS}/${withdrawal.id}`))),
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
  readonly api: OperatorClient;
  readonly chain: Surroundings["sandbox"]["chains"][0];
  readonly treasury: string;
  readonly #partner: Surroundings["sandbox"]["partner"];

  constructor({ sandbox }: Surroundings, receiver: Receiver) {
    this.receiver = receiver;
    // On this surface a partner shows its key as the operator does: in the apiKey header, without a signature.
    this.api = operatorClient(sandbox.base_url, sandbox.partner);
    this.chain = sandbox.chains[0];
    this.treasury = sandbox.treasury.address;
    this.#partner = sandbox.partner;
  }

  balance(wallet: string): Promise<bigint> {
    return tokenBalance(this.chain.rpc_url, this.chain.tokens[TOKEN], wallet);
  }

  async pool() {
    const pools = read(getWithdrawFiatPoolInfoOperation, await this.api.call("GET", `${WITHDRAWALS}/pool`));
    const pool = pools.find(({ currency }) => currency === CURRENCY);
    insist(pool !== undefined, `there is no pool of ${CURRENCY}`);
    return pool;
  }

  async registerMember() {
    const body = { external_user_id: `demo-${randomUUID()}`, phone: `+2547${randomInt(10_000_000, 99_000_000)}`, name: "Wanjiru" };
    const { external_user_id } = read(createMemberOperation, await this.api.call("POST", MEMBERS, body));
    const givenUpAt = Date.now() + PATIENCE_MS;
    for (;;) {
      const member = read(getMemberOperation, await this.api.call("GET", `${MEMBERS}/${external_user_id}`));
      const { wallet_address, safe_status, phone } = member;
      if (safe_status === "deployed" && wallet_address !== null) return { external_user_id, phone, wallet_address };
      insist(safe_status === "deploying", `its Safe is ${safe_status}`);
      insist(Date.now() < givenUpAt, "its Safe is still not deployed");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  async requestTopup({ external_user_id, phone }: { external_user_id: string; phone: string }) {
    const body = {
      external_id: `demo-${randomUUID()}`,
      external_user_id,
      amount: TOPUP_MINOR,
      currency: CURRENCY,
      destination_currency: TOKEN,
      chain: this.chain.chain,
      source: { type: "mobile_money", account: phone },
      callback_url: this.receiver.url,
    };
    return read(topupFiatOperation, await this.api.call("POST", TOPUPS, body));
  }

  async requestWithdrawal({ external_user_id, phone }: { external_user_id: string; phone: string }) {
    const body = {
      external_id: `demo-${randomUUID()}`,
      external_user_id,
      amount: WITHDRAW_MINOR,
      currency: CURRENCY,
      source_currency: TOKEN,
      chain: this.chain.chain,
      destination: { type: "mobile_money", account: phone, name: "Wanjiru" },
      callback_url: this.receiver.url,
    };
    return read(withdrawFiatForMemberOperation, await this.api.call("POST", `${WITHDRAWALS}/member`, body));
  }

  async until<Found extends Order>(status: string, look: () => Promise<Found>): Promise<Found> {
    const givenUpAt = Date.now() + PATIENCE_MS;
    for (;;) {
      const order = await look();
      if (order.status === status) return order;
      insist(order.status !== "failed", `it failed: ${order.failure_reason}`);
      insist(Date.now() < givenUpAt, `it is still ${order.status} after ${PATIENCE_MS / 1_000} s`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async checkCallback(number: number, event: string, order: Order): Promise<void> {
    const told = callback.parse(verifyCallback(await this.receiver.delivery(number, PATIENCE_MS), this.#partner));
    insist(told.event === event && told.id === order.id, `it tells ${told.event} of ${told.id}`);
    insist(told.status === order.status && told.tx_hash === order.tx_hash, "it tells another end");
  }
}

function fiat(minor: number): string {
  return `${CURRENCY} ${(minor / 100).toFixed(2)}`;
}
