import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import {
  addStatusTime,
  endIncidents,
  forgetStatus,
  insertStatusNote,
  keepIncidents,
  listOpenNotes,
  readStatusHistory,
} from "#db/queries/maintenance/service-status.ts";
import { type By, SYSTEM } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { type StatusHistory, type StatusSpan, shownDays, surfacesOf } from "#domain/service-status.ts";
import type { Uses } from "#server/context.ts";

/** A disruption that comes back within this time is the same incident. */
const SAME_WITHIN_MS = 60_000;
/** Shorter disruptions count in their day's seconds, and are no incidents. */
const INCIDENT_FROM_MS = 30_000;
const LONGEST_NOTE = 500;

/** Writes what a process has seen, oldest first. Time that another process has written before counts once. */
export async function recordStatus(ctx: Uses<"db" | "chains">, spans: readonly StatusSpan[]): Promise<void> {
  const surfaces = surfacesOf(ctx.chains.list().map(({ chain }) => chain));
  await ctx.db.transaction(async (tx) => {
    for (const { from, until, disruptions } of spans) {
      await addStatusTime(tx, { from, until }, { surfaces, disruptions });
      await endIncidents(tx, new Date(from.getTime() - SAME_WITHIN_MS));
      await keepIncidents(tx, { from, until }, disruptions);
      await endIncidents(tx, new Date(until.getTime() - SAME_WITHIN_MS));
    }
    await forgetStatus(tx);
  });
}

/** What the status page shows of the past: 90 days, and the incidents in them. */
export async function readStatus(ctx: Uses<"db" | "clock">): Promise<StatusHistory> {
  const [since = ""] = shownDays(ctx.clock.now());
  return await readStatusHistory(ctx.db, since, INCIDENT_FROM_MS);
}

/** The newest public note about each disruption that lasts. */
export async function readOpenNotes(ctx: Uses<"db">): Promise<Awaited<ReturnType<typeof listOpenNotes>>> {
  return await listOpenNotes(ctx.db);
}

/** A person on the machine writes for the public about an incident. @throws Refusal as {@link publishNote} */
export async function noteIncident(ctx: Uses<"db" | "clock">, incidentId: string, text: string): Promise<void> {
  await ctx.db.transaction((tx) => publishNote(tx, { by: SYSTEM, incidentId, text, at: ctx.clock.now() }));
}

/**
 * Writes for the public about an incident of the status page.
 *
 * @throws Refusal `not_found`, `invalid_state` for a text that is empty or too long
 */
export async function publishNote(
  tx: Uses<"db">["db"],
  { by, incidentId, text, at }: { by: By; incidentId: string; text: string; at: Date },
): Promise<void> {
  const note = text.trim();
  if (note === "" || note.length > LONGEST_NOTE)
    throw new Refusal("invalid_state", { detail: `A note has 1 to ${LONGEST_NOTE} characters.` });
  if (!(await insertStatusNote(tx, incidentId, { at, text: note })))
    throw new Refusal("not_found", { detail: "There is no such incident on the status page." });
  await insertAuditEntry(tx, { by, partnerId: null, action: "status.noted", objectId: incidentId, change: { text: note } });
}
