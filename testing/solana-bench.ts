import { insertAuditEntries } from "#db/queries/audit/audit-entries.ts";
import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import { newId } from "#domain/ids.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { LapsingSigners } from "#domain/lapsing-signer.ts";
import { balancedEntry } from "#domain/ledger.ts";
import type { SignerCap } from "#domain/signer-caps.ts";
import type { Transfer } from "#domain/transfer.ts";
import { openSolanaChain } from "#server/adapters/chain/solana/open-solana-chains.ts";
import { createLapsingEngine, type LapsingEngine, type LapsingStep } from "#server/engines/lapsing/engine.ts";
import { runLapsingOnce } from "#server/engines/lapsing/run-lapsing.ts";
import type { EnqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { silentLog } from "./callbacks.ts";
import { createTestDatabase, processOf, type TestDatabase } from "./database.ts";
import { mortal } from "./death.ts";
import { makeTestJournal } from "./journal.ts";
import { plantTransfer } from "./plant-transfer.ts";
import { noScreening } from "./screening.ts";
import { openTestSigners, type Signing } from "./signers.ts";
import { newSolanaKey, newSolanaWallet, startTestCluster, type TestCluster } from "./solana.ts";

const SOL = 1_000_000_000n;
/** What a payment of the bench pays. */
export const AMOUNT = 1_500_000n;

export type SolanaBench = Awaited<ReturnType<typeof openSolanaBench>>;

/**
 * A cluster of two nodes, both of which every payment needs, a database, a treasury with a key, and the signer over its journal. Workers run
 * pass by pass. Call `close` in `afterAll`.
 */
export async function openSolanaBench() {
  const [cluster, database] = await Promise.all([startTestCluster(), createTestDatabase()]);
  const { db, sql } = database;
  const chain = openSolanaChain(cluster.settings([0, 1]));
  const key = newSolanaKey();
  const treasury = await key.address();
  await cluster.fund(treasury, 100n * SOL, { USDC: 1_000_000_000n, PLAIN22: 1_000_000_000n });
  await cluster.finish();
  const journal = makeTestJournal();

  /** Another process of the signer, over the same journal. It does not derive payments: whatever is queued is owed. */
  function signers({ on = chain, ...own }: Partial<Signing> & { on?: LapsingChain; caps?: readonly SignerCap[] } = {}): LapsingSigners {
    const lapsing = { list: () => [on], find: () => on };
    const evm = { list: () => [], find: () => null };
    const rest = {
      keys: [],
      db,
      evm,
      log: silentLog,
      caps: [],
      journal: journal.open(),
      findUnowed: async () => new Map<string, string>(),
    };
    return openTestSigners({ ...rest, lapsing, lapsingKeys: { of: () => [key] }, ...own }).lapsing;
  }

  /** A worker process. Only database and signer are shared with others; it dies where `observe` throws. */
  function newWorker(observe?: (step: LapsingStep) => void, own: LapsingSigners = signers(), on: LapsingChain = chain): LapsingEngine {
    const meter = { transferMoved: () => {}, settlementExecuted: () => {}, treasuryBalance: () => {}, chainHead: () => {} };
    const ctx = { db: processOf(db, "worker"), log: silentLog, meter, screener: noScreening };
    const timings = { leaseSeconds: 30, restMs: 0, lookMs: 0 };
    return createLapsingEngine({ chains: [on], signers: own, onFinal: recordFinal, timings, ...mortal(ctx as never, observe) });
  }

  const parts = { cluster, database, db, sql, chain, treasury };
  return {
    ...parts,
    key,
    journal,
    signers,
    newWorker,
    ...tools(parts),
    async close(): Promise<void> {
      await cluster.stop();
      await database.close();
      journal.remove();
    },
  };
}

type Parts = Pick<TestDatabase, "db" | "sql"> & { cluster: TestCluster; chain: LapsingChain; treasury: string };

/** What a test asks of the chain, the books and the payments. */
function tools({ cluster, db, sql, chain, treasury }: Parts) {
  async function owe(what: Partial<EnqueueTransfer> = {}): Promise<Transfer> {
    const now = new Date(Date.now() - 10);
    const token = { currency: "USDC", tokenAddress: cluster.mints.USDC ?? "", tokenDecimals: 6 };
    const owed = {
      purpose: "settlement" as const,
      ownerId: newId("settlement", now),
      partnerId: null,
      chain: chain.chain,
      ...token,
      amountBase: AMOUNT,
      recipient: await newSolanaWallet(),
      now,
    };
    const stored = await plantTransfer(db, { ...owed, ...what });
    if (stored === null) throw new Error("it is owed already");
    return stored;
  }

  const stateOf = async ({ id }: Pick<Transfer, "id">) => (await findTransfer(db, id))?.state;
  const attemptsOf = async ({ id }: Pick<Transfer, "id">) =>
    await sql`select id, state, block_number as height, fee_at_most::text as most from lapsing_attempts where transfer_id = ${id} order by number`;
  const held = async (owner: string, name = "USDC") => (await chain.nodes[1]?.balance(owner, cluster.mints[name] ?? "")) ?? 0n;
  const coin = async () => (await chain.nodes[1]?.balance(treasury, null)) ?? 0n;
  const booked = async () => {
    const [row] = await sql`select coalesce(sum(fee_base), 0)::text as fees from network_fees where chain = ${chain.chain}`;
    return BigInt(String(row?.fees));
  };
  return {
    owe,
    stateOf,
    attemptsOf,
    held,
    statesOf: async (transfer: Pick<Transfer, "id">) => (await attemptsOf(transfer)).map(({ state }) => state),
    /** How often the end of a payment was written down. */
    announced: async ({ id }: Pick<Transfer, "id">) =>
      (await sql`select 1 from audit_entries where object_id = ${id} and action = 'test.final'`).length,
    /** Passes, with two blocks after each, until none is open any more. */
    async run(worker: LapsingEngine, of: readonly Transfer[], passes = 12): Promise<void> {
      for (let pass = 0; pass < passes; pass += 1) {
        await runLapsingOnce(worker, worker.chains[0] ?? chain);
        const states = await Promise.all(of.map(stateOf));
        if (states.every((state) => state === "executed" || state === "failed" || state === "needs_review")) return;
        await cluster.advance(2);
      }
    },
    /** What some work moved and cost on the chain, to the base unit; `feesBooked`: what the books say that it cost. */
    async measure(work: () => Promise<void>): Promise<{ paid: bigint; cost: bigint; feesBooked: bigint }> {
      const before = { tokens: await held(treasury), coin: await coin(), booked: await booked() };
      await work();
      await cluster.finish();
      const cost = before.coin - (await coin());
      return { paid: before.tokens - (await held(treasury)), cost, feesBooked: (await booked()) - before.booked };
    },
  };
}

/** Writes the end down, and books what left the treasury. */
const recordFinal: OnFinal = async (tx, transfers) => {
  const by = { actor: { type: "system" as const }, requestId: null };
  const entry = { by, partnerId: null, action: "test.final", now: new Date() };
  await insertAuditEntries(
    tx,
    transfers.map(({ id, state }) => ({ ...entry, objectId: id, change: { state } })),
  );
  for (const { ownerId, state, amountBase, currency, chain, tokenDecimals: decimals } of transfers) {
    if (state !== "executed") continue;
    const asset = { currency, chain, decimals };
    const postings = [
      { account: "treasury" as const, partnerId: null, asset, amount: -amountBase },
      { account: "clearing" as const, partnerId: null, asset, amount: amountBase },
    ];
    await insertLedgerEntry(
      tx,
      balancedEntry({ cause: "settlement", causeId: ownerId, step: "executed", partnerId: null }, postings),
      entry.now,
    );
  }
};
