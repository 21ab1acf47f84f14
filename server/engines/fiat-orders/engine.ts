import type { Lease } from "#db/lease.ts";
import type { FiatTable } from "#db/queries/fiat/fiat-work.ts";
import type { TransferCall } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import type { Observe } from "#server/engines/duty.ts";
import { HeldLeases } from "#server/engines/held-leases.ts";
import type { FiatRail } from "#server/ports.ts";

/** The worker's steps with an order. Between any two of them the process may die. */
export const FIAT_STEPS = ["claimed", "sweep_planned", "sweep_written", "order_read", "giving_noted", "answered", "written"] as const;
export type FiatStep = (typeof FIAT_STEPS)[number];

/** The tokens that are to leave a Safe, and their destination. */
export type SweepRequest = {
  chain: string;
  safeAddress: string;
  /** null: the chain's native coin. */
  tokenAddress: string | null;
  amountBase: bigint;
  recipient: string;
};

/**
 * Creates the transaction with which a Safe transfers tokens. It may read the chain. @throws Rejected if this Safe certainly will not
 * accept our signature, Unreachable if nothing is known.
 */
export type PlanSweep = (request: SweepRequest) => Promise<TransferCall>;

/** The rail of each configured provider, by the name on the order; null: it is not configured. */
export type FiatRails = { of(provider: string): FiatRail | null };

/** What one worker process needs to move withdrawals and top-ups. Everything that matters is in the database. */
export type FiatEngine = {
  ctx: Uses<"db" | "log" | "mode" | "tracer">;
  rails: FiatRails;
  planSweep: PlanSweep;
  /** Orders taken in hand at once. */
  batch: number;
  heldLeases: Record<FiatTable, HeldLeases>;
  step: Observe<FiatStep>;
};

export type FiatEngineOptions = Pick<FiatEngine, "ctx" | "rails" | "planSweep"> & { batch?: number; observe?: Observe<FiatStep> };

export function createFiatEngine({ ctx, rails, planSweep, batch = 32, observe }: FiatEngineOptions): FiatEngine {
  const heldLeases = { withdrawals: new HeldLeases(ctx, "withdrawals"), topups: new HeldLeases(ctx, "topups") };
  return { ctx, rails, planSweep, batch, heldLeases, step: (step, orderId) => observe?.(step, orderId) };
}

/** An order that this worker has leased. */
export type LeasedOrder = { table: FiatTable; lease: Lease };
