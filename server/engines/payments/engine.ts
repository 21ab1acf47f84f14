import type { Lease } from "#db/lease.ts";
import type { InFlight } from "#db/queries/transfers/in-flight.ts";
import type { Left } from "#db/queries/transfers/left-transfers.ts";
import { restTransfers } from "#db/queries/transfers/transfers.ts";
import type { Wallet } from "#db/queries/transfers/wallets.ts";
import type { EvmBlock } from "#domain/evm-chain.ts";
import type { EvmFeeMarket } from "#domain/evm-fees.ts";
import type { ScopeHalt } from "#domain/halt-scope.ts";
import { JournalUnusable, JournalUnwritable } from "#domain/journal.ts";
import { type OwnWallet, SignerAway } from "#domain/signer.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { guard, type Observe } from "#server/engines/duty.ts";
import { HeldLeases } from "#server/engines/held-leases.ts";
import { RepeatedTrouble } from "#server/engines/repeated-trouble.ts";
import { type EvmChain, type EvmNode, Unreachable } from "#server/ports.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { type Moment, Observations } from "./claiming/observations.ts";

/** The engine's steps, in the order of a transfer's life. Between any two of them the process may die. */
export const TRANSFER_STEPS = [
  "claimed",
  "held",
  "simulated",
  "signed",
  "stored",
  "journaled",
  "sent",
  "noted",
  "blocks_read",
  "cursor_moved",
  "receipts_read",
  "final_written",
  "final",
  "bump_signed",
  "bump_stored",
  "forfeit_signed",
  "forfeit_stored",
  "forfeit_sent",
] as const;
export type TransferStep = (typeof TRANSFER_STEPS)[number];

/** This worker lost the wallet to another one: it may write nothing more for it. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** The configuration and the chain contradict each other. Nothing is signed until somebody corrects it. */
export class ChainMisconfigured extends Error {
  override readonly name = "ChainMisconfigured";
}

/** Real time, all of it. */
export type TransferTimings = {
  /** A wallet's and a queued transfer's lease, renewed three times as often: what a killed worker costs at most. */
  leaseSeconds: number;
  /** A pass that takes longer than this is stuck: its leases are not renewed any more, and another worker takes over. */
  stuckMs: number;
  /** How long a blocked transfer is left alone. */
  restMs: number;
  /** How often a transaction that is not in a block is looked up. */
  lookMs: number;
  /** How often balances are read. */
  balanceMs: number;
  /** Queued transfers taken in hand at once, for each wallet. */
  batch: number;
  /** Transactions of one wallet that may be on their way to a block at once. */
  maxInFlight: number;
  /** How soon the chain is read again while something is in flight. */
  watchMs: number;
};

const PACE: TransferTimings = {
  leaseSeconds: 2,
  stuckMs: 60_000,
  restMs: 5_000,
  lookMs: 5_000,
  balanceMs: 10_000,
  batch: 256,
  maxInFlight: 512,
  watchMs: 200,
};

export type TransferContext = Uses<"db" | "clock" | "log" | "meter" | "tracer" | "evm" | "signers" | "screener">;

/** What one worker process needs to move transfers, and the little that it remembers. Everything that matters is in the database. */
export type TransferEngine = {
  ctx: TransferContext;
  /** Names this very process; a restarted one is another. */
  workerId: string;
  onFinal: OnFinal;
  timings: TransferTimings;
  step: Observe<TransferStep>;
  /** Queued transfers in hand. */
  claims: HeldLeases;
  memory: {
    checkedNodes: WeakSet<EvmNode>;
    /** The height of a block that a node lacks below its newest one: others are asked first until it has it. */
    lacking: Map<EvmNode, number>;
    checkedChains: Set<string>;
    walletIds: Map<string, string>;
    /** The leases of the pass over each chain, and since when: they are renewed while it works. */
    inHand: Map<string, { since: number; walletIds: readonly string[] }>;
    /** The queued transfers that the pass over each chain has claimed. */
    claimed: Map<string, readonly Lease[]>;
    /** By chain: what is left to other workers, and until when. */
    left: Map<string, readonly LeftUntil[]>;
    /** The chains on which something is on its way to a block, as of the last pass. */
    underway: Set<string>;
    balancesReadAt: Map<string, number>;
    trouble: Map<string, string | null>;
    /** The logged troubles of nodes and chains that do not answer, by name. */
    silence: RepeatedTrouble;
    /** By wallet: a count of its transactions that differs from the database's. */
    nonces: Observations;
    /** By transfer: that a node refuses it. */
    refusals: Observations;
    /** The allowances that this process has seen stored, by their owners. */
    allowances: Set<string>;
  };
};

export type LeftUntil = { what: Left; until: number };

export type TransferEngineOptions = {
  ctx: TransferContext;
  workerId: string;
  onFinal: OnFinal;
  timings?: Partial<TransferTimings>;
  observe?: Observe<TransferStep>;
};

export function createTransferEngine({ observe, ...options }: TransferEngineOptions): TransferEngine {
  const timings = { ...PACE, ...options.timings };
  const { ctx } = options;
  return {
    ...options,
    timings,
    step: (step, transferId) => observe?.(step, transferId),
    claims: new HeldLeases(ctx, "transfers", { seconds: timings.leaseSeconds, stuckMs: timings.stuckMs }),
    memory: {
      checkedNodes: new WeakSet(),
      lacking: new Map(),
      checkedChains: new Set(),
      walletIds: new Map(),
      inHand: new Map(),
      claimed: new Map(),
      left: new Map(),
      underway: new Set(),
      balancesReadAt: new Map(),
      trouble: new Map(),
      silence: new RepeatedTrouble(),
      nonces: new Observations(),
      refusals: new Observations(),
      allowances: new Set(),
    },
  };
}

/** One pass over one chain: the node whose answers count, its reading, and the wallets that this worker may sign for. */
export type Pass = {
  engine: TransferEngine;
  chain: EvmChain;
  node: EvmNode;
  /** The other nodes that answer. */
  witnesses: readonly EvmNode[];
  /** Configured nodes that do not answer just now. */
  silentNodes: number;
  head: EvmBlock;
  /** The highest block that was read, at most the head. */
  cursorHeight: number;
  market(): Promise<EvmFeeMarket>;
  /** The chain's wallets with transactions that the database does not know; read at most once a round. */
  unknown(): Promise<ReadonlyMap<string, Unknown>>;
  /** The chain's possible charge for one payment's data in addition to its gas; 0 on most chains. */
  dataFee(): Promise<bigint>;
};

/** The moment of what a node answers in this pass. */
export function momentOf({ engine, head }: Pass): Moment {
  return { height: head.height, at: engine.ctx.clock.now().getTime() };
}

/**
 * The nodes' nonce counts of a wallet, in blocks and in their pools, if one of them counts more than the database knows: of the pass's
 * node, and of each witness that answers.
 */
export type Unknown = { address: string; nextNonce: number; firstCount: number; witnessed: readonly number[] };

/** A wallet that this worker has leased. */
export type LeasedWallet = {
  row: Wallet;
  signer: OwnWallet;
  lease: { walletId: string; owner: string; fencingToken: number };
  nextNonce: number;
  inFlight: InFlight;
  /** The chain's own count of the wallet's transactions in blocks; read at most once a round. */
  chainNonce(): Promise<number>;
  /** The halt of the wallet or its chain. */
  halt: ScopeHalt | null;
  /** Whether its own scope is halted: a scope has at most one halt, and keeps the first. */
  isScopeHalted: boolean;
  /** Whether its sequence was compared with the chain in this round, and whether something new may be signed by that. */
  aligned: Promise<boolean> | null;
};

/** Counts a move that was committed. */
export function countMove({ ctx }: { ctx: Uses<"meter"> }, from: Transfer["state"], after: Transfer): void {
  ctx.meter.transferMoved({ chain: after.chain, from, to: after.state });
}

/**
 * Handles one transfer, so that its failure is recorded on it and the others continue. A dead node or a lost lease concerns all of them.
 */
export async function processOne(pass: Pass, transferId: string, work: () => Promise<void>): Promise<void> {
  const { ctx, timings } = pass.engine;
  const settle = async (error: unknown) => {
    ctx.log.error({ transfer_id: transferId, chain: pass.chain.chain, err: error }, "a transfer could not be processed");
    const reason = "An internal error stopped it; the log says more.";
    await restTransfers(ctx.db, [transferId], { kind: "review", reason, restMs: timings.restMs });
  };
  await guard(work, settle, CONCERNS_ALL);
}

/**
 * Handles several transfers in one transaction. If that fails, it is rolled back, and each is handled separately, so that the bad one is
 * recorded and affects no other.
 */
export async function processAll<Item extends { transfer: Pick<Transfer, "id"> }>(
  pass: Pass,
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<void>,
): Promise<void> {
  if (items.length > 1) {
    try {
      return await work(items);
    } catch (error) {
      if (concernsAll(error)) throw error;
      pass.engine.ctx.log.warn({ chain: pass.chain.chain, err: error }, "transfers could not be processed together: trying one by one");
    }
  }
  for (const item of items) await processOne(pass, item.transfer.id, () => work([item]));
}

/** Whether the trouble is not one transfer's own. */
export const concernsAll = (error: unknown) => CONCERNS_ALL.some((kind) => error instanceof kind);

const CONCERNS_ALL = [Unreachable, LeaseLost, JournalUnusable, JournalUnwritable, SignerAway];
