import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { SYSTEM } from "#domain/access.ts";
import { BLANK_LIMIT } from "#domain/default-limits.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { releasePayment } from "#server/services/holds/decide-hold.ts";
import { type ConformanceStage, openConformanceStage, type PaidFamily } from "./conformance-stage.ts";
import { liftHalts } from "./halts.ts";
import { endLimits } from "./limits.ts";
import { addProvenPerson } from "./people.ts";

/** What a recipient gets for a quote of the stage. */
const [NET, NET_BASE] = [7.2, 7_200_000n];
const PASSES = 15;
const REFERENCE = "Invoice 7/2026 é";

/**
 * What a partner meets is the same on every family: refused addresses, a payment from create to its callback, and what a limit, a halt and a
 * screening do to it. Each effect is read from the chain and the rows.
 */
export async function expectConformance(family: PaidFamily, stage?: ConformanceStage): Promise<void> {
  const on = { family, stage: stage ?? (await openConformanceStage(family)) };
  await showsCost(on);
  await refusesAddresses(on);
  await refusesBlocked(on);
  await paysOnce(on);
  await keepsLimits(on);
  await keepsHalts(on);
  await keepsScreening(on);
}

type On = { family: PaidFamily; stage: ConformanceStage };

async function refusesAddresses({ family, stage }: On): Promise<void> {
  const token = family.chain.tokens.find(({ currency }) => currency === family.currency)?.address;
  const before = await countSettlements(family);
  for (const [what, address] of Object.entries({ ...family.refused, "the treasury's own": family.treasury, "the token": token ?? "" })) {
    const { status, body } = await stage.create(address);
    expect({ ...body, what, status }).toMatchObject({
      what,
      status: 422,
      code: "invalid_wallet_address",
      errors: [{ pointer: "/wallet_address", code: "invalid_wallet_address", message: expect.stringMatching(/^The .*\.$/) }],
    });
  }
  expect(await countSettlements(family)).toBe(before);
}

/** A recipient that was blocked after the quote is refused at the confirmation. The quote stays, and nothing is reserved. */
async function refusesBlocked({ family, stage }: On): Promise<void> {
  if (family.block === undefined) return;
  const wallet = await family.newWallet();
  const id = await stage.quote(wallet);
  await family.block(wallet);
  expect(await stage.confirm(id)).toMatchObject({ status: 422, body: { code: "invalid_wallet_address" } });
  expect(await stage.read(id)).toMatchObject({ status: "quoted" });
  expect(await family.sql`select id from transfers where owner_id = ${id}`).toEqual([]);
  expect(await stage.create(wallet)).toMatchObject({ status: 422, body: { code: "invalid_wallet_address" } });
}

/**
 * The preview says what the network will take, to a new wallet and to one that has the token: as it is booked later. A creation asks no chain
 * for it, and says the same once it is known.
 */
async function showsCost({ family, stage }: On): Promise<void> {
  const { chain, currency, sql } = family;
  const wallet = await family.newWallet();
  expect((await stage.create(await family.newWallet())).body).toMatchObject({ network_cost: null });
  const preview = `/api/v1/rates/preview?source_currency=KES&destination_currency=${currency}&chain=${chain.chain}`;
  for (const isNewHolder of [true, false]) {
    const { body } = await stage.call("GET", `${preview}&wallet_address=${wallet}`);
    const cost = body.network_cost as { amount: number; currency: string; new_holder: boolean };
    expect(cost, JSON.stringify(body)).toMatchObject({ new_holder: isNewHolder });
    const made = await stage.create(wallet);
    expect(made.body).toMatchObject({ network_cost: cost });
    const id = String(made.body.tx_id);
    await stage.confirm(id, isNewHolder ? "first" : "again");
    await workUntilEnded(family, id);
    const [row] = await sql`select p.currency, f.fee_base::text as fee from network_fees f join transfers t on t.id = f.transfer_id
      join ledger_entries e on e.cause = 'transaction' and e.cause_id = f.id join ledger_postings p on p.entry_id = e.id and p.account = 'network_fees'
      where t.owner_id = ${id}`;
    const { decimals = 0 } = chain.tokens.find((token) => token.currency === cost.currency) ?? {};
    const booked = Number(row?.fee) / 10 ** decimals;
    expect(row?.currency).toBe(cost.currency);
    const off = (Math.abs(cost.amount - booked) / booked) * 100;
    expect(off, `${cost.amount} and ${booked} ${cost.currency}`).toBeLessThanOrEqual(family.costTolerance);
  }
  const { status, body } = await stage.call("GET", `${preview}&wallet_address=nonsense`);
  expect({ ...body, status }).toMatchObject({ status: 422, code: "invalid_wallet_address", errors: [{ parameter: "wallet_address" }] });
}

async function paysOnce({ family, stage }: On): Promise<void> {
  const wallet = await family.newWallet();
  const made = await stage.create(wallet);
  expect(made).toMatchObject({
    status: 201,
    body: { status: "quoted", wallet_address: wallet, destination_amount: NET, platform_fee: 0.5 },
  });
  // Nobody has asked about this wallet. The cost is that for a new holder.
  expect(made.body.network_cost).toMatchObject({ amount: expect.any(Number), new_holder: null });
  const id = String(made.body.tx_id);
  expect(await stage.confirm(id, REFERENCE)).toMatchObject({ status: 200, body: { status: "processing", waiting_reason: null } });
  expect(await stage.confirm(id, REFERENCE)).toMatchObject({ status: 200, body: { status: "processing" } });
  expect(await stage.confirm(id, "another")).toMatchObject({ status: 409, body: { code: "external_tx_id_conflict" } });
  await workUntilEnded(family, id);
  const { tx_hash: hash, ...paid } = await stage.read(id);
  expect(paid).toMatchObject({ status: "executed", chain: family.chain.chain, executed_at: expect.any(String) });
  const transfers = await family.sql`select state, tx_hash from transfers where owner_id = ${id}`;
  expect(transfers).toEqual([{ state: "executed", tx_hash: hash }]);
  await family.work();
  expect(await family.held(wallet)).toBe(NET_BASE);
  if (family.memoIn) expect(await family.memoIn(String(hash))).toContain(REFERENCE);
  const callbacks = await family.sql`select event, body::jsonb->>'tx_hash' as hash from callbacks where subject_id = ${id}`;
  expect(callbacks).toEqual([{ event: "settlement.executed", hash }]);
}

async function keepsLimits(on: On): Promise<void> {
  const { family, stage } = on;
  const wallet = await family.newWallet();
  const id = await stage.quote(wallet);
  const limit = {
    id: `limit-${randomUUID().slice(0, 8)}`,
    kind: "velocity",
    mode: "enforce",
    countedBy: "all",
    windowSeconds: 3_600,
  } as const;
  await openLimits({ db: family.db }, [{ ...BLANK_LIMIT, ...limit, chain: family.chain.chain, amountAtto: 1n }], "for a test");
  try {
    expect(await stage.confirm(id)).toMatchObject({ status: 200, body: { status: "processing", waiting_reason: "hold" } });
    await expectUnpaid(on, { id, wallet });
  } finally {
    await endLimits(family.sql);
  }
  const { by } = await addProvenPerson(family.db, "admin");
  await releasePayment(stage.ctx, { purpose: "settlement", ownerId: id, by, reason: "Looked into it." });
  await workUntilEnded(family, id);
  expect(await family.held(wallet)).toBe(NET_BASE);
}

async function keepsHalts(on: On): Promise<void> {
  const { family, stage } = on;
  const wallet = await family.newWallet();
  const id = await stage.quote(wallet);
  const halt = { scope: { kind: "chain", key: family.chain.chain }, cause: "operator", detail: "for a test", by: SYSTEM } as const;
  await family.db.transaction((tx) => haltScope(tx, halt));
  try {
    expect(await stage.create(await family.newWallet())).toMatchObject({ status: 503, body: { code: "liquidity_unavailable" } });
    expect(await stage.confirm(id)).toMatchObject({ status: 200, body: { status: "processing" } });
    await expectUnpaid(on, { id, wallet });
  } finally {
    await liftHalts(family.sql);
  }
  await workUntilEnded(family, id);
  expect(await family.held(wallet)).toBe(NET_BASE);
}

async function keepsScreening(on: On): Promise<void> {
  const { family, stage } = on;
  const wallet = await family.newWallet();
  const id = await stage.quote(wallet);
  stage.named.add(wallet);
  expect(await stage.confirm(id)).toMatchObject({ status: 200, body: { status: "processing", waiting_reason: "hold" } });
  await expectUnpaid(on, { id, wallet });
}

/** Workers had their chance, and nothing is signed or has moved. */
async function expectUnpaid({ family }: On, { id, wallet }: { id: string; wallet: string }): Promise<void> {
  for (let pass = 0; pass < 3; pass += 1) await family.work();
  const rows = await family.sql`select state, tx_hash, (select count(*)::int from lapsing_attempts a where a.transfer_id = t.id)
      + (select count(*)::int from transactions x where x.transfer_id = t.id) as signed from transfers t where owner_id = ${id}`;
  expect(rows).toMatchObject([{ tx_hash: null, signed: 0 }]);
  expect(await family.held(wallet)).toBe(0n);
}

async function workUntilEnded({ sql, work }: PaidFamily, id: string): Promise<void> {
  for (let pass = 0; pass < PASSES; pass += 1) {
    await sql`update transfers set rest_until = null where owner_id = ${id}`;
    await work();
    const [row] = await sql`select status from settlements where id = ${id}`;
    if (row?.status !== "processing") return;
  }
}

async function countSettlements({ sql }: PaidFamily): Promise<number> {
  const [row] = await sql`select count(*)::int as count from settlements`;
  return row?.count;
}
