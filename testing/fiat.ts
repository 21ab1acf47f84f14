import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { insertPool } from "#db/queries/fiat/fiat-pools.ts";
import { findTopup } from "#db/queries/fiat/topups.ts";
import { findWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { findTransferOf, toTransfer } from "#db/queries/transfers/transfers.ts";
import { fiatPools } from "#db/schema/fiat-provider.ts";
import { members } from "#db/schema/members.ts";
import { transfers } from "#db/schema/transfers.ts";
import type { Topup } from "#domain/topup.ts";
import { NO_TRACER } from "#domain/tracer.ts";
import type { TransferEnd, TransferPurpose } from "#domain/transfer.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import { createFiatEngine, type FiatEngineOptions, type FiatRails } from "#server/engines/fiat-orders/engine.ts";
import type { EvmChain, EvmDirectory, FiatAnswer, FiatOrder, FiatRail, Log } from "#server/ports.ts";
import { drawUpWithdrawal, type RequestWithdrawal } from "#server/services/fiat/draw-up-withdrawal.ts";
import { type RequestTopup, requestTopup } from "#server/services/fiat/request-topup.ts";
import { requestWithdrawal } from "#server/services/fiat/request-withdrawal.ts";
import { bringOutbox } from "#server/services/settlements/bring-outbox.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { createTestDatabase } from "./database.ts";
import { mortal } from "./death.ts";
import { addPartner, addTerms, setRate, TEST_CHAIN, type TestPartner, testChains } from "./factories.ts";
import { TEST_PROVIDERS } from "./surface.ts";

/** Set-up for tests of withdrawals and top-ups: a partner with a Safe, a member, a pool, and a controllable provider and chain. */

export const SAFE = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const MEMBER_SAFE = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
export const TREASURY = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
export const CALLBACK_URL = "http://localhost:9/fiat";

type Answer = FiatAnswer | null | Error;

/** A controllable provider that records its requests. */
export function riggedRail() {
  const asked: { what: "collect" | "payOut" | "lookUp"; id: string; order: FiatOrder | null }[] = [];
  const script: Answer[] = [];
  const answer = async (what: (typeof asked)[number]["what"], id: string, order: FiatOrder | null): Promise<FiatAnswer | null> => {
    asked.push({ what, id, order });
    const next = script.length > 1 ? script.shift() : script[0];
    if (next instanceof Error) throw next;
    return next === undefined ? { status: "pending", reference: `P-${id}`, instructions: null } : next;
  };
  const given = async (what: "collect" | "payOut", order: FiatOrder) => {
    const answered = await answer(what, order.id, order);
    if (answered === null) throw new Error("a rig that knows no order cannot take one");
    return answered;
  };
  const rail: FiatRail = {
    collect: (order) => given("collect", order),
    payOut: (order) => given("payOut", order),
    lookUp: (id) => answer("lookUp", id, null),
  };
  /** What it answers next, in turn; the last for ever. */
  const answers = (...next: Answer[]) => void script.splice(0, script.length, ...next);
  return { rail, asked, answers };
}

/** One provider, of the name that orders bear where no other is configured. */
export const onlyRail = (rail: FiatRail): FiatRails => ({ of: (provider) => (provider === TEST_PROVIDERS.current ? rail : null) });

/** A chain whose Safes have the balances of `balance`. */
function riggedChain(balance: () => bigint): EvmDirectory {
  const node = { block: async () => ({ height: 1 }), balance: async () => balance() };
  const chain = { ...TEST_CHAIN, nodes: [node] } as unknown as EvmChain;
  return { list: () => [chain], find: (name) => (name === chain.chain ? chain : null) };
}

export async function openFiatBench() {
  const database = await createTestDatabase();
  const { db, sql } = database;
  const partner = await addPartner(db, { walletAddress: SAFE, chargeFeePercentage: "1.5" });
  await addTerms(db);
  await setRate(db, "0.0077");
  const limits = { minimumMinor: 1_000n, maximumMinor: 500_000n, lowWaterMinor: 0n };
  await insertPool(db, { currency: "KES", totalMinor: 1_000_000n, ...limits }, new Date());
  await sql`insert into wallets (id, chain, address, fencing_token, lease_owner, lease_until, created_at)
    values (gen_random_uuid(), ${TEST_CHAIN.chain}, ${TREASURY}, 0, 'a worker', now() + interval '1 day', now())`;
  const memberId = await addMember(db, partner, { externalUserId: "user-1" });
  const state = { safeBalanceBase: 1_000_000_000n };
  const lines: { level: string; message: string }[] = [];
  const write = (level: string) => (_fields: object, message: string) => void lines.push({ level, message });
  const log: Log = { info: write("info"), warn: write("warn"), error: write("error"), child: () => log };
  const ctx = {
    mode: "live" as const,
    db,
    log,
    tracer: NO_TRACER,
    clock: { now: () => new Date() },
    chains: testChains,
    fiatProviders: TEST_PROVIDERS,
    evm: riggedChain(() => state.safeBalanceBase),
  };
  const provider = riggedRail();
  const planSweep: FiatEngineOptions["planSweep"] = async ({ safeAddress }) => ({ to: safeAddress, valueBase: 0n, data: "0x6a761202" });
  return {
    database,
    db,
    sql,
    partner,
    memberId,
    state,
    ctx,
    lines,
    provider,
    ...looks(db),
    close: () => database.close(),
    addMember: (of: TestPartner, values: Partial<typeof members.$inferInsert>) => addMember(db, of, values),
    withdrawalOf: (values: Partial<RequestWithdrawal> = {}) => withdrawalOf(partner, values),
    topupOf: (values: Partial<RequestTopup> = {}) => topupOf(partner, values),
    /** A separate worker process; it dies where `observe` throws. */
    newEngine: (more: Partial<FiatEngineOptions> = {}) =>
      createFiatEngine({
        rails: onlyRail(provider.rail),
        planSweep,
        ...more,
        ...mortal(more.ctx ?? { ...ctx, db: database.worker }, more.observe),
      }),
    async withdraw(values: Partial<RequestWithdrawal> = {}): Promise<Withdrawal> {
      const command = withdrawalOf(partner, values);
      return (await requestWithdrawal(ctx, command, () => drawUpWithdrawal(ctx, command))).withdrawal;
    },
    async topUp(values: Partial<RequestTopup> = {}): Promise<Topup> {
      return (await requestTopup(ctx, topupOf(partner, values))).topup;
    },
    endTransfer: (purpose: TransferPurpose, ownerId: string, end: TransferEnd) => endTransfer(db, purpose, ownerId, end),
    /** What time would do to a dead worker's leases. */
    async letLeasesLapse(): Promise<void> {
      for (const table of ["withdrawals", "topups", "simulated_orders"]) {
        await sql`update ${sql(table)} set lease_until = clock_timestamp() - interval '1 second' where lease_until is not null`;
      }
    },
  };
}

async function addMember(db: Database, of: TestPartner, values: Partial<typeof members.$inferInsert>): Promise<string> {
  const id = randomUUID();
  const phone = `+2547${String(Math.floor(Math.random() * 1e8)).padStart(8, "0")}`;
  const now = new Date();
  const base = { id, partnerId: of.partnerId, externalUserId: id, phone, chain: TEST_CHAIN.chain, createdAt: now, updatedAt: now };
  await db.insert(members).values({ ...base, walletAddress: MEMBER_SAFE, safeStatus: "deployed", ...values });
  return id;
}

function withdrawalOf(partner: TestPartner, values: Partial<RequestWithdrawal>): RequestWithdrawal {
  return {
    ...partner,
    externalId: `order-${randomUUID()}`,
    externalUserId: null,
    amountMinor: 100_000n,
    currency: "KES",
    sourceCurrency: "USDT",
    chain: TEST_CHAIN.chain,
    destination: { type: "mobile_money", account: "+254700000000", name: "Wanjiru" },
    callbackUrl: CALLBACK_URL,
    ...values,
  };
}

function topupOf(partner: TestPartner, values: Partial<RequestTopup>): RequestTopup {
  return {
    ...partner,
    externalId: `order-${randomUUID()}`,
    externalUserId: "user-1",
    amountMinor: 100_000n,
    currency: "KES",
    destinationCurrency: "USDT",
    chain: TEST_CHAIN.chain,
    source: { type: "mobile_money", account: "+254700000000" },
    callbackUrl: CALLBACK_URL,
    ...values,
  };
}

/** What the worker and the chain would do: the transfer is brought and final, and its owner advances in the same transaction. */
async function endTransfer(db: Database, purpose: TransferPurpose, ownerId: string, end: TransferEnd): Promise<void> {
  await bringOutbox({ db });
  await db.transaction(async (tx) => {
    const change =
      "txHash" in end
        ? { state: "executed" as const, txHash: end.txHash, executedAt: new Date() }
        : { state: "failed" as const, failureReason: end.reason };
    const [row] = await tx
      .update(transfers)
      .set({ ...change, dueAt: null })
      .where(eq(transfers.id, (await findTransferOf(tx, purpose, ownerId))?.id ?? ""))
      .returning();
    if (row === undefined) throw new Error(`nothing is owed to ${ownerId} as ${purpose}`);
    await completeOwner(tx, [toTransfer(row)]);
  });
}

export type FiatBench = Awaited<ReturnType<typeof openFiatBench>>;

function looks(db: Database) {
  return {
    async withdrawal(id: string): Promise<Withdrawal> {
      const found = await findWithdrawal(db, id);
      if (found === null) throw new Error(`no withdrawal ${id}`);
      return found;
    },
    async topup(id: string): Promise<Topup> {
      const found = await findTopup(db, id);
      if (found === null) throw new Error(`no top-up ${id}`);
      return found;
    },
    transferOf: (purpose: TransferPurpose, ownerId: string) => findTransferOf(db, purpose, ownerId),
    async poolTotal(): Promise<bigint> {
      const [row] = await db.select().from(fiatPools).where(eq(fiatPools.currency, "KES"));
      return row?.totalMinor ?? -1n;
    },
  };
}
