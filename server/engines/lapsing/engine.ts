import { restTransfers } from "#db/queries/transfers/transfers.ts";
import type { LapsingChain, LapsingNode } from "#domain/lapsing-chain.ts";
import type { LapsingSigners } from "#domain/lapsing-signer.ts";
import { SignerAway } from "#domain/signer.ts";
import type { Uses } from "#server/context.ts";
import { guard, type Observe } from "#server/engines/duty.ts";
import { HeldLeases } from "#server/engines/held-leases.ts";
import { RepeatedTrouble } from "#server/engines/repeated-trouble.ts";
import { Unreachable } from "#server/ports.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";

/** The engine's steps, in the order of a payment's life. Between any two of them the process may die. */
export const LAPSING_STEPS = [
  "claimed",
  "held",
  "prepared",
  "signed",
  "stored",
  "asked",
  "admitted",
  "sent",
  "noted",
  "lapsed",
  "final_written",
  "final",
] as const;
export type LapsingStep = (typeof LAPSING_STEPS)[number];

/** Real time, all of it. */
export type LapsingTimings = {
  /** A queued transfer's lease, renewed three times as often: what a killed worker costs at most. */
  leaseSeconds: number;
  /** A transfer in hand for longer than this is stuck: another worker takes it. */
  stuckMs: number;
  /** How long a blocked transfer is left alone. */
  restMs: number;
  /** How often the nodes are asked about an open attempt. */
  lookMs: number;
  /** Payments and attempts taken in hand at once. */
  batch: number;
};

const TIMINGS: LapsingTimings = { leaseSeconds: 2, stuckMs: 60_000, restMs: 5_000, lookMs: 1_000, batch: 64 };

export type LapsingContext = Uses<"db" | "log" | "meter" | "screener">;

/** What one worker process needs to pay on such chains. Everything that matters is in the database. */
export type LapsingEngine = {
  ctx: LapsingContext;
  chains: readonly LapsingChain[];
  signers: LapsingSigners;
  onFinal: OnFinal;
  timings: LapsingTimings;
  step: Observe<LapsingStep>;
  /** Queued transfers in hand. */
  claims: HeldLeases;
  memory: { wallets: Set<string>; trouble: Map<string, string | null>; silence: RepeatedTrouble };
};

export type LapsingEngineOptions = Pick<LapsingEngine, "ctx" | "chains" | "signers" | "onFinal"> & {
  timings?: Partial<LapsingTimings>;
  observe?: Observe<LapsingStep>;
};

export function createLapsingEngine({ observe, timings: own, ...options }: LapsingEngineOptions): LapsingEngine {
  const timings = { ...TIMINGS, ...own };
  return {
    ...options,
    timings,
    step: (step, transferId) => observe?.(step, transferId),
    claims: new HeldLeases(options.ctx, "transfers", { seconds: timings.leaseSeconds, stuckMs: timings.stuckMs }),
    memory: { wallets: new Set(), trouble: new Map(), silence: new RepeatedTrouble() },
  };
}

/** One run over one chain. `nodes`: those that answer, and are of this chain. */
export type LapsingPass = { engine: LapsingEngine; chain: LapsingChain; nodes: readonly LapsingNode[]; wallets: readonly string[] };

/** Handles one transfer, so that its failure is recorded on it and the others continue. A signer that is away concerns all of them. */
export async function processOne({ engine, chain }: LapsingPass, transferId: string, work: () => Promise<void>): Promise<void> {
  const { ctx, timings } = engine;
  const settle = async (error: unknown) => {
    if (error instanceof Unreachable) return;
    ctx.log.error({ transfer_id: transferId, chain: chain.chain, err: error }, "a transfer could not be processed");
    const reason = "An internal error stopped it; the log says more.";
    await restTransfers(ctx.db, [transferId], { kind: "review", reason, restMs: timings.restMs });
  };
  await guard(work, settle, [SignerAway]);
}
