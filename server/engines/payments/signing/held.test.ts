import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listHoldsOf, listVerdictsOf } from "#db/queries/holds/payment-holds.ts";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { BLANK_LIMIT } from "#domain/default-limits.ts";
import { HOUR_SECONDS, type LimitTerms } from "#domain/exposure-limit.ts";
import { EVERYTHING_SCOPE, type HaltScope, pairKey } from "#domain/halt-scope.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Transfer } from "#domain/transfer.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { releasePayment } from "#server/services/holds/decide-hold.ts";
import { listWaits } from "#server/services/settlements/list-waits.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { endLimits } from "#testing/limits.ts";
import { type MoneyStage, openMoneyStage } from "#testing/money-stage.ts";
import { addPerson } from "#testing/people.ts";

let chain: TestChain;
let stage: MoneyStage;
const RECIPIENT = "0x00000000000000000000000000000000000000f1";
const units = (amount: number) => BigInt(amount) * 10n ** 18n;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterAll(() => chain.stop());
beforeEach(async () => {
  stage = await openMoneyStage(chain, { partners: 1 });
});
afterEach(() => stage.close());

const BLANK: LimitTerms = {
  ...BLANK_LIMIT,
  kind: "wallet",
  mode: "enforce",
  windowSeconds: HOUR_SECONDS,
};
async function limit(terms: Partial<LimitTerms>): Promise<string> {
  const id = `limit-${randomUUID().slice(0, 8)}`;
  await openLimits(stage.ctx, [{ ...BLANK, ...terms, id }], "for a test");
  return id;
}

/** 1,000.00 KES are some 7 USDT. */
async function confirm(count: number): Promise<Settlement[]> {
  const [partner] = stage.partners;
  if (partner === undefined) throw new Error("the stage has no partner");
  const made: Settlement[] = [];
  for (let each = 0; each < count; each += 1) {
    const { id } = await stage.quote(partner, { amountMinor: 100_000n, wallet: RECIPIENT });
    made.push(await stage.confirm(partner, id));
  }
  return made;
}
async function transferOf({ id }: Settlement): Promise<Transfer> {
  const transfer = await findTransferOf(stage.db, "settlement", id);
  if (transfer === null) throw new Error(`nothing is owed for ${id}`);
  return transfer;
}
const states = async (settlements: readonly Settlement[]) =>
  await Promise.all(settlements.map(async (settlement) => (await transferOf(settlement)).state));
async function pass(): Promise<void> {
  await stage.newWorker()();
  await stage.letLeasesLapse();
}

describe("before signing, in the transaction that stores the bytes,", () => {
  it("a wallet's ceiling by the hour lets through what fits, holds the rest without a hole among the nonces, and never fails any", async () => {
    const id = await limit({ amountAtto: units(22) });
    const made = await confirm(6);
    await pass();
    expect(await states(made)).toEqual([...Array(3).fill("broadcast"), ...Array(3).fill("queued")]);
    const held = await listHoldsOf(
      stage.db,
      made.map((settlement) => settlement.id),
    );
    expect(held.map(({ ownerId, keys, outcome }) => [ownerId, keys, outcome]).toSorted()).toEqual(
      made
        .slice(3)
        .map((one) => [one.id, [id], "open"])
        .toSorted(),
    );
    expect([...(await listWaits(stage.ctx, made)).values()].map(({ kind }) => kind)).toEqual(["hold", "hold", "hold"]);
    const { by } = await addPerson(stage.db, "admin");
    const [, , , first] = made;
    await releasePayment(stage.ctx, { purpose: "settlement", ownerId: first?.id ?? "", by, reason: "Looked into." });
    await pass();
    expect(await states(made)).toEqual([...Array(4).fill("broadcast"), "queued", "queued"]);
    const nonces = await stage.sql<{ nonce: string }[]>`select nonce from transactions order by nonce`;
    const [lowest] = nonces;
    expect(nonces.map(({ nonce }) => Number(nonce) - Number(lowest?.nonce))).toEqual([0, 1, 2, 3]);
    const [counted] = await stage.sql<{ sum: string; expected: string }[]>`
      select (select sum(amount_atto)::text from exposure_counters where limit_id = ${id}) as sum,
        (select (sum(amount_base) * 1000000000000)::text from transfers where purpose = 'settlement' and state = 'broadcast') as expected`;
    expect(counted?.sum).toBe(counted?.expected);
  });

  it("a limit that has changed since the confirmation is asked again, and one that has not is not", async () => {
    const [before] = await confirm(1);
    const id = await limit({ kind: "allow_list", windowSeconds: null, addresses: [] });
    await pass();
    expect(before && (await states([before]))).toEqual(["queued"]);
    const [verdict] = await listVerdictsOf(stage.db, before?.id ?? "");
    expect(verdict).toMatchObject({ stage: "sign", outcome: "hold", findings: [{ key: id }] });
    await endLimits(stage.sql);
    const open = await limit({ kind: "allow_list", windowSeconds: null, addresses: [RECIPIENT] });
    const [after] = await confirm(1);
    await pass();
    expect(after && (await states([after]))).toEqual(["broadcast"]);
    expect((await listVerdictsOf(stage.db, after?.id ?? "")).map(({ stage: at, findings }) => [at, findings[0]?.key])).toEqual([
      ["confirm", open],
    ]);
  });
});

describe("an emergency stop", () => {
  const lift = () =>
    stage.sql`update lane_halts set lifted_at = since, lifted_by = 'a', lift_reason = 'It is mended.' where lifted_at is null`;
  const scopes: Record<string, () => HaltScope> = {
    "of a pair": () => ({ kind: "pair", key: pairKey({ sourceCurrency: "KES", destinationCurrency: "USDT", chain: chain.chain }) }),
    "of everything": () => EVERYTHING_SCOPE,
  };

  it.each(Object.entries(scopes))("%s lets confirmations wait, signs nothing, and goes on when it is lifted", async (_name, scope) => {
    const before = await confirm(1);
    await stage.db.transaction((tx) => haltScope(tx, { scope: scope(), cause: "operator", detail: "Something is wrong." }));
    const during = scope().kind === "pair" ? await confirm(1) : [];
    await pass();
    const made = [...before, ...during];
    expect(await states(made)).toEqual(made.map(() => "queued"));
    expect([...(await listWaits(stage.ctx, made)).values()].map(({ kind }) => kind)).toEqual(made.map(() => "review"));
    await lift();
    await pass();
    expect(await states(made)).toEqual(made.map(() => "broadcast"));
  });

  it("of everything quotes nothing", async () => {
    await stage.db.transaction((tx) => haltScope(tx, { scope: EVERYTHING_SCOPE, cause: "operator", detail: "Something is wrong." }));
    await expect(confirm(1)).rejects.toMatchObject({ code: "liquidity_unavailable" });
  });
});
