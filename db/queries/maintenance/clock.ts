import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { businessClock } from "#db/schema/business-clock.ts";

/**
 * Business time from the database: the real instant, moved by the sandbox's clock (contract, part 9). Read after a row was locked it is
 * later than the lock, so one clock on all machines decides "before `expires_at`".
 */
export async function readBusinessNow(db: Database): Promise<Date> {
  const rows = await db.execute<{ now: Date | string }>(sql`select business_now() as now`);
  const now = rows[0]?.now;
  if (now === undefined) throw new Error("the database returned no time");
  return new Date(now);
}

export type ClockReading = { /** Business time. */ now: Date; offsetMs: number };

/** Business time, and how far it is ahead of real time: in live mode always 0. */
export async function readClockOffset(db: Database): Promise<ClockReading> {
  const [row] = await db.execute<{ now: string; offset_ms: string }>(
    sql`select business_now() as now, coalesce((select offset_ms from business_clock), 0) as offset_ms`,
  );
  if (row === undefined) throw new Error("the database returned no time");
  return { now: new Date(row.now), offsetMs: Number(row.offset_ms) };
}

/**
 * Moves business time ahead, atomically: of two moves at once neither is lost. Answers null, and moves nothing, when that would
 * lead beyond `limitMs`.
 */
export async function addClockOffset(db: Database, offsetMs: number, limitMs: number): Promise<number | null> {
  const rows = await db
    .insert(businessClock)
    .values({ onlyRow: true, offsetMs })
    .onConflictDoUpdate({
      target: businessClock.onlyRow,
      set: { offsetMs: sql`business_clock.offset_ms + excluded.offset_ms` },
      setWhere: sql`business_clock.offset_ms + excluded.offset_ms <= ${limitMs}`,
    })
    .returning({ offsetMs: businessClock.offsetMs });
  return rows[0]?.offsetMs ?? null;
}

/** Wakes every worker when the transaction commits: much may be due at once after the clock has moved. */
export async function announceClock(db: Database): Promise<void> {
  await db.execute(sql`select pg_notify('due_work', 'clock')`);
}
