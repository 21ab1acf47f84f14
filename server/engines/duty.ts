import { randomUUID } from "node:crypto";
import { claimDue, type Lease, releaseLeases } from "#db/lease.ts";
import type { HeldLeases } from "./held-leases.ts";

/** How a round of a duty ended. `busy`: there may be more to do at once. */
export type Verdict = "idle" | "busy";

/** A piece of the worker's work that comes again and again. What makes it does one round: claim, work, settle. */
export type Duty = {
  name: string;
  /** The kind of due work whose arrival wakes the duty at once: what its table's queries notify. */
  channel?: "callbacks" | "events" | "fiat" | "outbox" | "transfers";
  /** The net under the wake-ups, and the rhythm of duties without a channel. */
  everyMs: number;
  /** One round. `busy`: go on at once, there is more. The signal is aborted when the worker stops. */
  run(signal: AbortSignal): Promise<Verdict>;
  /** How long a round may continue after the stop before it is abandoned; default: as for most duties. */
  patienceMs?: number;
  /** Handed a function that starts a round before its time. */
  onWake?(wake: () => void): void;
  /** After the last round, which may have been left: finish what is in flight, or give it back. */
  drain?(): Promise<void>;
};

/** Called at each named step of an engine, in the order of a row's life. Between any two of them the process may die, and tests let it. */
export type Observe<Step extends string> = (step: Step, id?: string) => void;

/** Waits for all of them, also when one fails: nothing of a round may still be at work when the next one begins. */
export async function inParallel<Work extends readonly unknown[] | []>(
  work: Work,
): Promise<{ -readonly [Place in keyof Work]: Awaited<Work[Place]> }> {
  await Promise.allSettled(work);
  return await Promise.all(work);
}

/**
 * Processes one row so that its failure does not affect the others: `settle` records it on the row, and moves its due time. A failure that
 * concerns all rows, such as a dead node or a lost lease, is thrown on.
 */
export async function guard(
  work: () => Promise<void>,
  settle: (error: unknown) => Promise<void>,
  concernsAll: readonly (new (message: string) => Error)[] = [],
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (concernsAll.some((kind) => error instanceof kind)) throw error;
    await settle(error);
  }
}

export type DueWork = {
  heldLeases: HeldLeases;
  /** Rows taken in hand at once. */
  batch: number;
  /** One row's work, settled under its lease. */
  work(lease: Lease): Promise<void>;
  /** Records a defect that stopped the row, and moves its due time. */
  settle(lease: Lease, error: unknown): Promise<void>;
};

/** One round over a table's due rows: claims a batch, processes each row, and releases the rest. */
export async function processDue({ heldLeases, batch, work, settle }: DueWork): Promise<Verdict> {
  const { db, table } = heldLeases;
  const leases = await claimDue(db, table, { token: randomUUID(), limit: batch });
  heldLeases.take(leases);
  try {
    await inParallel(
      leases.map((lease) =>
        guard(
          () => work(lease),
          (error) => settle(lease, error),
        ),
      ),
    );
  } finally {
    heldLeases.forget(leases);
  }
  await releaseLeases(db, table, leases);
  return leases.length === batch ? "busy" : "idle";
}
