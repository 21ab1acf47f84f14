import { sql } from "drizzle-orm";
import { type Database, type DatabaseOptions, openDatabase } from "./client.ts";
import { behindOf, type Place } from "./replica-lag.ts";

/** The state of a standby that serves reads. */
export type ReplicaState = {
  /** Its lag in seconds; null: unknown, it does not answer, or it is not a standby (any more). */
  lagSeconds: number | null;
  /** Whether reads go there; otherwise they go to the database itself. */
  isRead: boolean;
  detail: string;
};

/** A streaming replica that the console's lists are read from. Whatever is decided on is never read there. */
export type Replica = {
  db: Database;
  state(): ReplicaState;
  /** A read on the standby failed: until the next check, reads go to the primary. */
  distrust(): void;
  close(): Promise<void>;
};

export type ReplicaOptions = Omit<DatabaseOptions, "directUrl"> & {
  /** The database that it follows. */
  primary: Database;
  /** With a larger lag, reads go to the primary. */
  maximumLagSeconds: number;
  lookEveryMs?: number;
};

/** The primary's log positions that are kept for measuring the lag: an hour of them. */
const MOST_PLACES = 3_600;
const NEVER: ReplicaState = { lagSeconds: null, isRead: false, detail: "has not been read yet" };

/**
 * Opens it, and checks its position once a second. The lag is measured by the primary's own log positions (which one it had written, and
 * when we saw that) and not by the standby's report: one that is cut off from its primary believes that it is up to date.
 */
export function openReplica({ primary, maximumLagSeconds, lookEveryMs = 1_000, ...options }: ReplicaOptions): Replica {
  const { db, close } = openDatabase(options);
  let places: Place[] = [];
  let state = NEVER;
  let looking: Promise<void> | null = null;

  const look = async () => {
    const seenAt = performance.now();
    const [written, replayed] = await Promise.allSettled([readWritten(primary), readReplayed(db)]);
    if (written.status === "fulfilled") places = [...places.slice(-MOST_PLACES + 1), { at: seenAt, position: written.value }];
    if (replayed.status === "rejected") state = { lagSeconds: null, isRead: false, detail: "does not answer" };
    else if (replayed.value === null) state = { lagSeconds: null, isRead: false, detail: "is not a standby: it accepts writes" };
    else {
      const { lagMs, passed } = behindOf(places, replayed.value, performance.now());
      places = places.slice(passed);
      const lagSeconds = lagMs === null ? null : Math.round(lagMs / 100) / 10;
      const isRead = written.status === "fulfilled" && lagSeconds !== null && lagSeconds <= maximumLagSeconds;
      state = { lagSeconds, isRead, detail: lagSeconds === null ? "is behind by an unknown time" : `is ${lagSeconds} s behind` };
    }
  };
  const tick = () => {
    looking ??= look().finally(() => {
      looking = null;
    });
  };
  tick();
  const timer = setInterval(tick, lookEveryMs);
  timer.unref();
  return {
    db,
    state: () => state,
    distrust: () => {
      state = { ...state, isRead: false, detail: "interrupted a read" };
    },
    close: async () => {
      clearInterval(timer);
      await looking;
      await close();
    },
  };
}

/** Bytes of the log that the primary has written. */
async function readWritten(primary: Database): Promise<bigint> {
  const [row] = await primary.execute<{ position: string }>(sql`select (pg_current_wal_lsn() - '0/0')::text as position`);
  if (row === undefined) throw new Error("the database did not answer");
  return BigInt(row.position);
}

/** … that the standby has replayed; null: it is not a standby. */
async function readReplayed(db: Database): Promise<bigint | null> {
  const [row] = await db.execute<{ position: string | null }>(sql`
    select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::text end as position`);
  if (row === undefined) throw new Error("the replica did not answer");
  return row.position === null ? null : BigInt(row.position);
}
