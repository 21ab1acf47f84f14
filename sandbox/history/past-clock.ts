import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { announceClock, readClockOffset } from "#db/queries/maintenance/clock.ts";
import { businessClock } from "#db/schema/business-clock.ts";

const LOOK_EVERY_MS = 100;
/** A transfer needs a few blocks; something that takes longer does not belong into a history. */
const LONGEST_WAIT_MS = 120_000;

/** The clock of the past: set back, then walked forward to the present, never beyond it. */
export type PastClock = {
  /** Moves to an instant, in the present at most. Whatever is due on the way happens at its time. */
  walkTo(instant: Date): Promise<void>;
  /** Until no payment is on its way and no callback is due now. */
  settle(): Promise<void>;
};

/** Sets it to its beginning. */
export async function openPastClock(db: Database, begin: Date): Promise<PastClock> {
  await setClock(db, begin);
  const settle = async () => {
    for (const givenUpAt = Date.now() + LONGEST_WAIT_MS; await isBusy(db); ) {
      if (Date.now() > givenUpAt) throw new Error("something in the past does not come to its end");
      await sleep(LOOK_EVERY_MS);
    }
  };
  const walkTo = async (instant: Date) => {
    const goal = new Date(Math.min(instant.getTime(), Date.now()));
    for (let due = await nextDue(db); due !== null && due < goal; due = await nextDue(db)) {
      if (!(await isBefore(db, due))) await settle();
      else await setClock(db, due);
      await settle();
    }
    if (await isBefore(db, goal)) await setClock(db, goal);
  };
  return { walkTo, settle };
}

async function isBefore(db: Database, instant: Date): Promise<boolean> {
  return (await readClockOffset(db)).now < instant;
}

async function setClock(db: Database, instant: Date): Promise<void> {
  const offsetMs = Math.min(0, instant.getTime() - Date.now());
  await db
    .insert(businessClock)
    .values({ onlyRow: true, offsetMs })
    .onConflictDoUpdate({ target: businessClock.onlyRow, set: { offsetMs } });
  await announceClock(db);
}

/** When the next attempt at a callback is due. */
async function nextDue(db: Database): Promise<Date | null> {
  const [row] = await db.execute<{ due: string | null }>(sql`select min(due_at) as due from callbacks where due_at is not null`);
  return row?.due == null ? null : new Date(row.due);
}

async function isBusy(db: Database): Promise<boolean> {
  const [row] = await db.execute<{ busy: boolean }>(sql`
    select exists (select 1 from transfers where state not in ('executed', 'failed'))
      or exists (select 1 from callbacks where due_at <= business_now()) as busy`);
  return row?.busy === true;
}
