import { randomUUID } from "node:crypto";
import { and, count, eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { insertAuditEntries } from "#db/queries/audit/audit-entries.ts";
import { findTransaction, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import { auditEntries } from "#db/schema/audit-log.ts";
import { newId } from "#domain/ids.ts";
import type { SigningThresholds } from "#domain/signed-approval.ts";
import { NO_TRACER } from "#domain/tracer.ts";
import type { Transfer } from "#domain/transfer.ts";
import { type EvmChainSettings, openEvmChains } from "#server/adapters/chain/evm/open-evm-chains.ts";
import { createScreener, type ScreenerSettings } from "#server/adapters/screening/screener.ts";
import { localKeySigner } from "#server/adapters/signer/local-key.ts";
import { createTransferEngine, type TransferEngine, type TransferEngineOptions } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import type { Log, Signer } from "#server/ports.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import type { EnqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { type FindUnowed, findUnowed } from "#server/services/transfers/find-unowed.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import type { TestChain } from "./chain.ts";
import { createTestDatabase, processOf, type TestDatabase } from "./database.ts";
import { mortal } from "./death.ts";
import { makeTestJournal } from "./journal.ts";
import { plantTransfer } from "./plant-transfer.ts";
import { noScreening } from "./screening.ts";
import { openBytes, openTestSigners, type Signing } from "./signers.ts";
import { spendOutside } from "./spend-outside.ts";
import { NO_LAPSING_CHAINS } from "./surface.ts";

export type BenchOptions = Partial<
  Pick<
    EvmChainSettings,
    | "confirmations"
    | "rpcUrls"
    | "rpcTimeoutMs"
    | "maxFeePerGasGwei"
    | "feeBudgetPerHour"
    | "maxFeePercent"
    | "coinValue"
    | "bumpAfterSeconds"
    | "tokens"
    | "useFinalizedTag"
    | "twoNodesFrom"
    | "dataFee"
    | "gas"
    | "packing"
    | "treasuryDestinations"
  >
> & {
  /** How many treasury wallets; each has 100 ether and a million of each token unless `funded` is false. */
  wallets?: number;
  funded?: boolean;
  signers?: Signer[];
  /** The handler of final transfers. `completeOwner`: payments have owners, and are compared with them before they are signed. */
  onFinal?: OnFinal;
  /** Left out: nothing is screened. */
  screening?: ScreenerSettings;
  /** Omitted: a separate database, removed with it. */
  database?: TestDatabase;
  /** More chains, under their own names and with the same wallets. */
  others?: EvmChainSettings[];
};

/** What changes on the chain counts at once. */
const NOTHING_KEPT = { answerMs: 0, silenceMs: 0, lookMs: 0 };

export type LoggedLine = { level: string; message: string };

/** A separate database, separate treasury wallets on a shared test chain, and workers that run pass by pass. */
export async function openTransferBench(chain: TestChain, options: BenchOptions = {}) {
  const database = options.database ?? (await createTestDatabase());
  const keys = Array.from({ length: options.wallets ?? 1 }, () => generatePrivateKey());
  const addresses = keys.map((key) => privateKeyToAddress(key));
  if (options.funded !== false) for (const address of addresses) await chain.fund(address);
  const signers = options.signers ?? keys.map((key) => localKeySigner(async () => key));
  const settings: EvmChainSettings = {
    chain: chain.chain,
    name: "Test chain",
    rpcUrls: options.rpcUrls ?? [chain.rpcUrl],
    confirmations: options.confirmations ?? 3,
    native: { currency: "ETH", decimals: 18 },
    tokens: options.tokens ?? [
      { currency: "USDT", address: chain.tokens.USDT, decimals: 6 },
      { currency: "USDC", address: chain.tokens.USDC, decimals: 6 },
    ],
    bumpAfterSeconds: options.bumpAfterSeconds ?? 600,
    maxFeePerGasGwei: options.maxFeePerGasGwei,
    feeBudgetPerHour: options.feeBudgetPerHour,
    maxFeePercent: options.maxFeePercent,
    coinValue: options.coinValue,
    useFinalizedTag: options.useFinalizedTag,
    twoNodesFrom: options.twoNodesFrom,
    dataFee: options.dataFee,
    gas: options.gas,
    packing: options.packing,
    treasuryDestinations: options.treasuryDestinations,
    rpcTimeoutMs: options.rpcTimeoutMs ?? 2_000,
  };
  const journal = makeTestJournal();
  const derive = options.onFinal === completeOwner ? findUnowed : ownerless;
  const evm = openEvmChains([settings, ...(options.others ?? [])]);
  const [lines, moves]: [LoggedLine[], string[]] = [[], []];
  const log = collectLog(lines);
  const meter = {
    transferMoved: ({ from, to }: { from: string; to: string }) => void moves.push(`${from} ${to}`),
    settlementExecuted: () => {},
    treasuryBalance: () => {},
    chainHead: () => {},
  };
  const screener = options.screening === undefined ? noScreening : createScreener(options.screening, { evm, log }, NOTHING_KEPT);
  /** A signer of its own, in this process. Left out: the wallets' keys, the worker's database, another opening of the journal. */
  const signersOf = (own: Partial<Signing> = {}) =>
    openTestSigners({ keys: signers, db: database.db, journal: journal.open(), findUnowed: derive, evm, log, caps: [], ...own });
  const ctx = {
    db: database.db,
    mode: "sandbox" as "sandbox" | "live",
    policy: { driftToleranceBps: 10, signedApprovals: null as SigningThresholds | null, decisionTargetMinutes: 60 },
    clock: { now: () => new Date() },
    log,
    meter,
    tracer: NO_TRACER,
    evm,
    lapsing: NO_LAPSING_CHAINS,
    chains: evm,
    screener,
    signers: signersOf(),
  };

  /** A separate worker process: only the database is shared with others. It dies where `observe` throws. */
  function newWorker({ journal: of, ...more }: Partial<TransferEngineOptions & Pick<Signing, "journal">> = {}): TransferEngine {
    // Nobody renews leases during the passes here, so they last longer than any pass of a test.
    const timings = { leaseSeconds: 30, restMs: 0, lookMs: 0, balanceMs: 60_000, ...more.timings };
    const own = { ...ctx, db: processOf(ctx.db, "worker"), signers: signersOf(of === undefined ? {} : { journal: of }) };
    const fate = mortal(more.ctx ?? own, more.observe);
    return createTransferEngine({ workerId: randomUUID(), onFinal: options.onFinal ?? recordFinal, ...more, ...fate, timings });
  }
  const close = async () => {
    journal.remove();
    await database.close();
  };
  return { ...tools(chain, database), close, ctx, keys, addresses, lines, moves, journal, signers, signersOf, newWorker };
}

export type TransferBench = Awaited<ReturnType<typeof openTransferBench>>;

function tools(chain: TestChain, database: TestDatabase) {
  const { db, sql } = database;
  async function transfer(id: string): Promise<Transfer> {
    const found = await findTransfer(db, id);
    if (found === null) throw new Error(`no transfer ${id}`);
    return found;
  }
  async function transaction(id: string): Promise<OpenTransaction> {
    const found = await findTransaction(db, id);
    if (found === null) throw new Error(`transfer ${id} has no transaction`);
    return { ...found, attempts: found.attempts.map((attempt) => ({ ...attempt, rawBytes: openBytes(found, attempt) })) };
  }
  return {
    db,
    sql,
    /** As the role that owns the database. */
    url: database.url,
    transfer,
    transaction,
    async enqueuePayment(what: Partial<EnqueueTransfer> = {}): Promise<Transfer> {
      const now = new Date(Date.now() - 10);
      const payment: EnqueueTransfer = {
        purpose: "settlement",
        ownerId: newId("settlement", now),
        partnerId: null,
        chain: chain.chain,
        currency: "USDT",
        tokenAddress: chain.tokens.USDT,
        tokenDecimals: 6,
        amountBase: 12_345_678n,
        recipient: newAddress(),
        now,
        ...what,
      };
      const stored = await plantTransfer(db, payment);
      if (stored === null) throw new Error(`${payment.ownerId} has a payment`);
      return stored;
    },
    /** Passes, with a block mined after each, until every one of them is final, under review, or `passes` are over. */
    async run(worker: TransferEngine, ids: readonly string[], passes = 12): Promise<Transfer[]> {
      for (let pass = 0; pass < passes; pass += 1) {
        await runTransfersOnce(worker, chain.chain);
        const now = await Promise.all(ids.map(transfer));
        if (now.every(({ state }) => ["executed", "failed", "needs_review"].includes(state))) return now;
        await chain.mine();
      }
      return await Promise.all(ids.map(transfer));
    },
    /** What a few seconds would do to a dead worker's leases. */
    async letLeasesLapse(seconds = 1): Promise<void> {
      await sql`update wallets set lease_until = clock_timestamp() - ${seconds} * interval '1 second' where lease_until is not null`;
      await sql`update transfers set lease_until = clock_timestamp() - ${seconds} * interval '1 second', rest_until = null
        where lease_until is not null`;
    },
    /** How often the owner was advanced. */
    async finals(id: string): Promise<number> {
      const rows = await db
        .select({ announced: count() })
        .from(auditEntries)
        .where(and(eq(auditEntries.objectId, id), eq(auditEntries.action, "test.final")));
      return rows[0]?.announced ?? 0;
    },
    async tokenBalance(holder: string, token: string = chain.tokens.USDT): Promise<bigint> {
      const data = `0x70a08231${holder.slice(2).padStart(64, "0")}`;
      return BigInt(String(await chain.call("eth_call", { to: token, data }, "latest")));
    },
    async etherBalance(holder: string): Promise<bigint> {
      return BigInt(String(await chain.call("eth_getBalance", holder, "latest")));
    },
    spendOutside: (key: Hex, nonce: number, gwei = 200) => spendOutside(chain, key, nonce, gwei),
  };
}

/** An unused address: its balance at the end is what was paid. */
export function newAddress(): Address {
  return privateKeyToAddress(generatePrivateKey());
}

/** Many tests pay for nothing in particular. */
export const ownerless: FindUnowed = async () => new Map();

/** Records, in the transaction that ends a transfer, that its owner was advanced. */
const recordFinal: OnFinal = async (tx, transfers) => {
  const by = { actor: { type: "system" as const }, requestId: null };
  const entry = { by, partnerId: null, action: "test.final", now: new Date() };
  await insertAuditEntries(
    tx,
    transfers.map(({ id, state }) => ({ ...entry, objectId: id, change: { state } })),
  );
};

function collectLog(lines: LoggedLine[]): Log {
  const write = (level: string) => (_fields: object, message: string) => void lines.push({ level, message });
  const log: Log = { info: write("info"), warn: write("warn"), error: write("error"), child: () => log };
  return log;
}
