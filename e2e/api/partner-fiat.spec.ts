import { createHmac } from "node:crypto";
import { expect, test } from "@playwright/test";
import type { z } from "zod";
import {
  getWithdrawFiatPoolInfoOperation,
  topupFiatCallbackOperation,
  topupFiatOperation,
  topupFiatStatusOperation,
  withdrawFiatForMemberOperation,
  withdrawFiatOperation,
  withdrawFiatStatusOperation,
} from "#contract/partner/fiat-operations.ts";
import { createMemberOperation, getMemberOperation } from "#contract/partner/member-operations.ts";
import { currentPartnerOperation } from "#contract/partner/partner-operations.ts";
import { movedTo, readReceipt, tokenBalance } from "#sandbox/client/chain.ts";
import { type Answer, exchange } from "#sandbox/client/exchange.ts";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { verifyCallback } from "#sandbox/client/verify-callback.ts";
import { expectOperatorError, read } from "../support/answers.ts";
import { advanceClock, HOUR } from "../support/clock.ts";
import { inUnits, plain } from "../support/money.ts";
import { asPartner, asRival, expectInvalid, freshName, freshPhone } from "../support/partner-surface.ts";
import { BASE_URL, chain, sandbox } from "../support/running-sandbox.ts";
import { freshWallet, until } from "../support/settlements.ts";

/** Contract, parts 6 and 9: fiat in and out, on the sandbox's chain and with its simulated provider. */

const WITHDRAW = "/partners/transactions/withdraw-fiat";
const TOPUP = "/partners/transactions/topup-fiat";
const PATIENCE_MS = 45_000;

type Withdrawal = z.infer<typeof withdrawFiatOperation.result>;
type Topup = z.infer<typeof topupFiatOperation.result>;

const withdrawalBody = (more: object = {}, account = freshPhone()) => ({
  external_id: freshName("order"),
  amount: 123_400,
  currency: "KES",
  source_currency: "USDT",
  chain: chain.chain,
  destination: { type: "mobile_money", account, name: "Wanjiru" },
  ...more,
});
const topupBody = (external_user_id: string, more: object = {}) => ({
  external_id: freshName("order"),
  external_user_id,
  amount: 123_400,
  currency: "KES",
  destination_currency: "USDT",
  chain: chain.chain,
  source: { type: "mobile_money", account: freshPhone() },
  ...more,
});
const withdraw = async (more: object = {}, account?: string): Promise<Withdrawal> =>
  read(withdrawFiatOperation, await asPartner.call("POST", WITHDRAW, withdrawalBody(more, account)));
const findWithdrawal = async (id: string): Promise<Withdrawal> =>
  read(withdrawFiatStatusOperation, await asPartner.call("GET", `${WITHDRAW}/${id}`));
const findTopup = async (id: string): Promise<Topup> => read(topupFiatStatusOperation, await asPartner.call("GET", `${TOPUP}/${id}`));
const isOver = ({ status }: { status: string }) => status === "completed" || status === "failed";
const endedWithdrawal = (id: string) => until(() => findWithdrawal(id), isOver, PATIENCE_MS);
const endedTopup = (id: string) => until(() => findTopup(id), isOver, PATIENCE_MS);
const balance = (wallet: string) => tokenBalance(chain.rpc_url, chain.tokens.USDT, wallet);
const units = (amount: number) => inUnits(plain(amount), 6);

async function ownSafe(): Promise<string> {
  const { wallet_address } = read(currentPartnerOperation, await asPartner.call("GET", "/partners/current"));
  if (wallet_address === null) throw new Error("the demo partner has no Safe");
  return wallet_address;
}

async function addMember(wallet_address = freshWallet()): Promise<{ external_user_id: string; wallet: string }> {
  const body = { external_user_id: freshName("user"), phone: freshPhone(), wallet_address };
  const { external_user_id } = read(createMemberOperation, await asPartner.call("POST", "/partners/members", body));
  return { external_user_id, wallet: wallet_address };
}

async function poolOf(currency: string) {
  const pools = read(getWithdrawFiatPoolInfoOperation, await asPartner.call("GET", `${WITHDRAW}/pool`));
  const pool = pools.find((one) => one.currency === currency);
  if (pool === undefined) throw new Error(`there is no pool of ${currency}`);
  return pool;
}

/** As the provider signs: the hex HMAC-SHA512 of the exact bytes. */
function callAsProvider(target: string, word: object | string, secret = sandbox.rail.secret): Promise<Answer> {
  const body = typeof word === "string" ? word : JSON.stringify(word);
  const signature = createHmac("sha512", secret).update(body).digest("hex");
  const headers = [["Content-Type", "application/json"] as const, ["X-Signature", signature] as const];
  return exchange(BASE_URL, { method: "POST", target: `${target}/callback`, headers, body });
}
const word = (order_id: string, status: string, reference = "R-1") => ({ order_id, reference, status, reason: null });

test.describe("a withdrawal", () => {
  test("takes exactly its crypto out of the partner's Safe, then pays, and calls back what GET answers", async () => {
    const receiver = await openReceiver();
    try {
      const safe = await ownSafe();
      const before = { safe: await balance(safe), treasury: await balance(sandbox.treasury.address), pool: await poolOf("KES") };
      const made = await withdraw({ callback_url: receiver.url });
      expect(made).toMatchObject({ status: "pending", tx_hash: null, external_user_id: null, fee: 0, completed_at: null });
      const done = await endedWithdrawal(made.id);
      expect(done).toMatchObject({ status: "completed", failure_reason: null, source_amount: made.source_amount });

      const taken = units(done.source_amount);
      expect(before.safe - (await balance(safe))).toBe(taken);
      const receipt = await readReceipt(chain.rpc_url, done.tx_hash ?? "");
      expect(receipt && movedTo(receipt, chain.tokens.USDT, sandbox.treasury.address)).toBe(taken);
      const pool = await poolOf("KES");
      expect([before.pool.total - pool.total, pool.reserved]).toEqual([done.amount, before.pool.reserved]);
      const delivered = verifyCallback(await receiver.delivery(1), sandbox.partner);
      expect(delivered).toEqual({ event: "withdrawal.completed", ...done });
    } finally {
      await receiver.close();
    }
  });

  test("that cannot be paid out gives the Safe its crypto back, frees the pool and says why", async () => {
    const safe = await ownSafe();
    const before = { safe: await balance(safe), pool: await poolOf("KES") };
    const made = await withdraw({}, "+254700999901");
    const failed = await endedWithdrawal(made.id);
    expect(failed).toMatchObject({ status: "failed", failure_reason: "The account does not exist. The crypto was returned." });
    expect(await balance(safe)).toBe(before.safe);
    expect(await poolOf("KES")).toEqual(before.pool);
  });

  test("whose provider pays and never calls is asked about after an hour", async () => {
    const made = await withdraw({}, "+254700999906");
    await until(
      () => findWithdrawal(made.id),
      ({ provider_reference }) => provider_reference !== null,
      PATIENCE_MS,
    );
    expect((await findWithdrawal(made.id)).status).toBe("processing");
    await advanceClock(HOUR + 10);
    expect((await endedWithdrawal(made.id)).status).toBe("completed");
  });

  test("repeated under its external_id is the same, 200; another body is a conflict", async () => {
    const body = withdrawalBody();
    const first = read(withdrawFiatOperation, await asPartner.call("POST", WITHDRAW, body));
    const again = await asPartner.call("POST", WITHDRAW, body);
    expect([again.status, JSON.parse(again.text).id]).toEqual([200, first.id]);
    expectOperatorError(await asPartner.call("POST", WITHDRAW, { ...body, amount: body.amount + 1 }), 409, "conflict");
    expectOperatorError(await asRival.call("GET", `${WITHDRAW}/${first.id}`), 404, "not_found");
    expect((await endedWithdrawal(first.id)).status).toBe("completed");
  });

  test("beyond pool, Safe or limits is refused, and stores nothing", async () => {
    const pool = await poolOf("KES");
    const ask = (more: object) => asPartner.call("POST", WITHDRAW, withdrawalBody(more));
    expectOperatorError(await ask({ amount: pool.available + 1 }), 409, "insufficient_liquidity");
    expectInvalid(await ask({ amount: pool.maximum + 1 }), ["body", "amount"]);
    expectInvalid(await ask({ amount: pool.minimum - 1 }), ["body", "amount"]);
    expect((await ask({ currency: "XYZ" })).status).toBe(422);
    expect(await poolOf("KES")).toEqual(pool);
  });

  test("out of a member's own wallet is refused, for an unknown member not found", async () => {
    const { external_user_id } = await addMember();
    const ask = (member: string) => asPartner.call("POST", `${WITHDRAW}/member`, withdrawalBody({ external_user_id: member }));
    expectOperatorError(await ask(external_user_id), 409, "conflict");
    expectOperatorError(await ask("nobody"), 404, "not_found");
  });
});

test.describe("a top-up", () => {
  test("is collected, and its crypto arrives to the last unit", async () => {
    const receiver = await openReceiver();
    try {
      const { external_user_id, wallet } = await addMember();
      const body = topupBody(external_user_id, { callback_url: receiver.url });
      const made = read(topupFiatOperation, await asPartner.call("POST", TOPUP, body));
      expect(made).toMatchObject({ status: "pending", wallet_address: wallet, payment: { reference: made.id } });
      expect(made.payment.instructions).toContain("KES 1234.00");
      const done = await endedTopup(made.id);
      expect(done).toMatchObject({ status: "completed", failure_reason: null });
      expect(await balance(wallet)).toBe(units(done.destination_amount));
      expect(verifyCallback(await receiver.delivery(1), sandbox.partner)).toEqual({ event: "topup.completed", ...done });
      expect((await asPartner.call("POST", TOPUP, body)).status).toBe(200);
      expectOperatorError(await asPartner.call("POST", TOPUP, { ...body, amount: 5_000 }), 409, "conflict");
      expectOperatorError(await asRival.call("GET", `${TOPUP}/${made.id}`), 404, "not_found");
    } finally {
      await receiver.close();
    }
  });

  test("to a wallet that the token refuses fails, with the reason", async () => {
    const { external_user_id } = await addMember(sandbox.outcomes.blocked_wallet);
    const made = read(topupFiatOperation, await asPartner.call("POST", TOPUP, topupBody(external_user_id)));
    const failed = await endedTopup(made.id);
    expect(failed.status).toBe("failed");
    expect(failed.failure_reason).toMatch(/block/i);
  });

  test("for an unknown member is not found", async () => {
    expectOperatorError(await asPartner.call("POST", TOPUP, topupBody("nobody")), 404, "not_found");
  });
});

test("a member's Safe is topped up, and withdrawn from again", async () => {
  const external_user_id = freshName("user");
  await asPartner.call("POST", "/partners/members", { external_user_id, phone: freshPhone() });
  const look = async () => read(getMemberOperation, await asPartner.call("GET", `/partners/members/${external_user_id}`));
  const { wallet_address } = await until(look, ({ safe_status }) => safe_status === "deployed", PATIENCE_MS);
  const safe = wallet_address ?? "";
  const topup = read(topupFiatOperation, await asPartner.call("POST", TOPUP, topupBody(external_user_id)));
  expect((await endedTopup(topup.id)).status).toBe("completed");

  const ask = (amount: number) => asPartner.call("POST", `${WITHDRAW}/member`, withdrawalBody({ external_user_id, amount }));
  expectOperatorError(await ask(200_000), 409, "insufficient_funds");
  const made = read(withdrawFiatForMemberOperation, await ask(50_000));
  const done = await endedWithdrawal(made.id);
  expect(done).toMatchObject({ status: "completed", external_user_id });
  expect(await balance(safe)).toBe(units(topup.destination_amount) - units(done.source_amount));
});

test.describe("the provider's calls", () => {
  test("failed first, then paid, then paid again: the first counts, all are taken", async () => {
    const { external_user_id, wallet } = await addMember();
    const { id } = read(topupFiatOperation, await asPartner.call("POST", TOPUP, topupBody(external_user_id)));
    for (const status of ["failed", "failed", "succeeded"]) {
      const taken = read(topupFiatCallbackOperation, await callAsProvider(TOPUP, word(id, status)));
      expect(taken).toEqual({ received: true });
    }
    expect(await findTopup(id)).toMatchObject({ status: "failed", provider_reference: "R-1" });
    // The simulated provider says paid as well, after its moment.
    await advanceClock(10);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await findTopup(id)).status).toBe("failed");
    expect(await balance(wallet)).toBe(0n);
  });

  test("paid before the sweep is final completes nothing", async () => {
    const made = await withdraw();
    for (const status of ["succeeded", "failed"]) expect((await callAsProvider(WITHDRAW, word(made.id, status))).status).toBe(200);
    const now = await findWithdrawal(made.id);
    expect(["pending", "processing"]).toContain(now.status);
    const done = await endedWithdrawal(made.id);
    expect(done.status).toBe("completed");
    expect(done.tx_hash).not.toBeNull();
  });

  test("need the signature of these very bytes, and no key", async () => {
    const { external_user_id } = await addMember();
    const { id } = read(topupFiatOperation, await asPartner.call("POST", TOPUP, topupBody(external_user_id)));
    for (const target of [TOPUP, WITHDRAW]) {
      expect((await callAsProvider(target, word(id, "succeeded"), "another secret")).status).toBe(401);
      expect((await asPartner.call("POST", `${target}/callback`, word(id, "succeeded"))).status).toBe(401);
    }
    expectOperatorError(await callAsProvider(WITHDRAW, word(id, "succeeded")), 404, "not_found");
    expectOperatorError(await callAsProvider(WITHDRAW, word("wd_00000000000000000000000000", "failed")), 404, "not_found");
    // Its own way of writing JSON, as long as it is what it signed.
    const odd = `{ "reference":"R-9" , "status":"succeeded","order_id" : "${id}", "more": {"x": [1]} }`;
    expect((await callAsProvider(TOPUP, odd)).status).toBe(200);
    expect((await endedTopup(id)).provider_reference).toBe("R-9");
  });
});
