import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { addClockOffset, announceClock, readBusinessNow, readClockOffset } from "#db/queries/maintenance/clock.ts";
import { type By, refuseUnlessOperator } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** Business time, and how many whole seconds it is ahead of real time (contract, part 9 "Clocks"). */
export type SandboxClock = { now: Date; offsetSeconds: number };

/**
 * The sandbox's clock.
 *
 * @throws Refusal `route_not_found` in live mode.
 */
export async function readClock(ctx: Uses<"db" | "mode">): Promise<SandboxClock> {
  refuseInLiveMode(ctx);
  const { now, offsetMs } = await readClockOffset(ctx.db);
  return { now, offsetSeconds: offsetMs / 1_000 };
}

/** Business time, in either mode (contract, part 9 "Clocks"). */
export async function reportTime(ctx: Uses<"db">): Promise<Date> {
  return await readBusinessNow(ctx.db);
}

export type AdvanceClock = { by: By; advanceSeconds: number };

const YEAR_SECONDS = 31_536_000;
/** In one move. Anyone who writes more has probably written milliseconds. */
const MOST_SECONDS_AT_ONCE = YEAR_SECONDS;
/** The total limit: every instant must fit into each language and database. */
const MOST_SECONDS_AHEAD = 100 * YEAR_SECONDS;

/**
 * Moves the sandbox's business time ahead, in every process at once, and wakes the workers: quotes expire, callbacks and decisions fall
 * due. It never moves back, because past events stay past; 0 moves nothing and returns the time.
 *
 * @throws Refusal `route_not_found` in live mode, `forbidden`, `validation_failed` for a number that is not whole, negative or more than a
 * year, or that would lead more than a hundred years ahead.
 */
export async function advanceClock(ctx: Uses<"db" | "mode">, command: AdvanceClock): Promise<SandboxClock> {
  refuseInLiveMode(ctx);
  refuseUnlessOperator(command.by.actor, "administer");
  const seconds = command.advanceSeconds;
  if (!Number.isSafeInteger(seconds) || seconds < 0 || seconds > MOST_SECONDS_AT_ONCE) {
    throw refuseMove(`must be a whole number from 0 to ${MOST_SECONDS_AT_ONCE}`);
  }
  return await ctx.db.transaction(async (tx) => {
    const offsetMs = await addClockOffset(tx, seconds * 1_000, MOST_SECONDS_AHEAD * 1_000);
    if (offsetMs === null) throw refuseMove("would lead more than a hundred years ahead");
    const { now } = await readClockOffset(tx);
    await insertAuditEntry(tx, {
      by: command.by,
      partnerId: null,
      action: "sandbox_clock.advanced",
      objectId: "sandbox_clock",
      change: { advance_seconds: seconds, offset_seconds: offsetMs / 1_000 },
      now,
    });
    await announceClock(tx);
    return { now, offsetSeconds: offsetMs / 1_000 };
  });
}

function refuseMove(message: string): Refusal {
  return new Refusal("validation_failed", { errors: [{ pointer: "/advance_seconds", code: "out_of_range", message }] });
}

/**
 * The first line of every operation that only the sandbox has.
 *
 * @throws Refusal `route_not_found` in live mode, just like any path that does not exist.
 */
export function refuseInLiveMode(ctx: Uses<"mode">): void {
  if (ctx.mode !== "sandbox") throw new Refusal("route_not_found");
}
