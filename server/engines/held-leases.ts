import type { Database } from "#db/client.ts";
import { LEASE_SECONDS, type Lease, type LeasedTable, releaseLeases, renewLeases } from "#db/lease.ts";
import type { Uses } from "#server/context.ts";

type HeldLeasesOptions = {
  /** How long a lease is: what a killed worker costs at most. */
  seconds?: number;
  /** A lease held longer than this is stuck: it is not renewed any more, and another worker takes over. */
  stuckMs?: number;
};

/** This process's leases on one table. They are renewed three times per lease duration until they are released. */
export class HeldLeases {
  readonly db: Database;
  readonly table: LeasedTable;
  readonly #ctx: Uses<"log">;
  readonly #seconds: number;
  readonly #stuckMs: number;
  readonly #held = new Map<string, { lease: Lease; since: number }>();
  #renewal: NodeJS.Timeout | null = null;

  constructor(
    ctx: Uses<"db" | "log">,
    table: LeasedTable,
    { seconds = LEASE_SECONDS, stuckMs = Number.POSITIVE_INFINITY }: HeldLeasesOptions = {},
  ) {
    this.db = ctx.db;
    this.table = table;
    this.#ctx = ctx;
    this.#seconds = seconds;
    this.#stuckMs = stuckMs;
  }

  /** Keeps leases that were just claimed. */
  take(leases: readonly Lease[]): void {
    for (const lease of leases) this.#held.set(lease.token + lease.id, { lease, since: performance.now() });
    if (this.#held.size > 0) this.#renewal ??= setInterval(() => void this.renew(), (this.#seconds * 1_000) / 3).unref();
  }

  /** They need no lease any more: their result is stored, or another worker has them. */
  forget(leases: readonly Lease[]): void {
    for (const { id, token } of leases) this.#held.delete(token + id);
    if (this.#held.size > 0 || this.#renewal === null) return;
    clearInterval(this.#renewal);
    this.#renewal = null;
  }

  /** Releases these, or all, unused. If the database is unavailable, they expire. */
  async releaseAll(leases: readonly Lease[] = [...this.#held.values()].map(({ lease }) => lease)): Promise<void> {
    this.forget(leases);
    try {
      await releaseLeases(this.db, this.table, leases);
    } catch (error) {
      this.#ctx.log.warn({ error, table: this.table }, "leases could not be released; they will expire");
    }
  }

  /** Renews those that are not stuck. If another worker has taken one over, the fencing token refuses our later writes. */
  async renew(): Promise<void> {
    const stuck = performance.now() - this.#stuckMs;
    const leases = [...this.#held.values()].flatMap(({ lease, since }) => (since > stuck ? [lease] : []));
    try {
      const lost = await renewLeases(this.db, this.table, leases, this.#seconds);
      if (lost.length > 0) this.#ctx.log.warn({ table: this.table, rows: lost }, "leases were lost");
    } catch (error) {
      this.#ctx.log.warn({ error, table: this.table }, "leases could not be renewed");
    }
  }
}
