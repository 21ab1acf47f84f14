import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import {
  addEntry,
  endIncident as end,
  findIncident,
  type IncidentRecord,
  listIncidents as list,
  listEntries,
  lockIncident,
  openIncident as open,
  type Stopped,
  sumStopped,
} from "#db/queries/maintenance/incidents.ts";
import { listOpenStatusIncidents } from "#db/queries/maintenance/service-status.ts";
import { findUser } from "#db/queries/people/users.ts";
import { type ByPerson, refuseUnlessOperator } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import { doneSteps, type IncidentEntry, ownerOf } from "#domain/incident.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { publishNote } from "./service-status.ts";

const SHOWN = 50;

export type Incident = IncidentRecord & { owner: ReturnType<typeof ownerOf> };
export type IncidentPage = Incident & {
  entries: IncidentEntry[];
  done: ReturnType<typeof doneSteps>;
  /** What is not being paid now; empty once it has ended. */
  stopped: Stopped[];
  /** The disruptions on the public status page that a note can be about; empty once it has ended. */
  disruptions: Awaited<ReturnType<typeof listOpenStatusIncidents>>;
};

/** A trouble as the health line shows it. */
export type Trouble = { name: string; part: string; detail: string; runbook: string | null; since: Date };

/** The incidents that people work on, then the newest that ended. */
export async function listIncidents(ctx: Uses<"db">): Promise<Incident[]> {
  const found = await list(ctx.db, SHOWN);
  const entries = await listEntries(
    ctx.db,
    found.map(({ id }) => id),
  );
  return found.map((incident) => ({ ...incident, owner: ownerOf(entries.get(incident.id) ?? []) }));
}

/** One incident with its timeline. @throws Refusal `not_found` */
export async function readIncident(ctx: Uses<"db">, id: string): Promise<IncidentPage> {
  const incident = await findIncident(ctx.db, id);
  if (incident === null) throw notFound();
  const entries = (await listEntries(ctx.db, [id])).get(id) ?? [];
  const [stopped, disruptions] =
    incident.endedAt === null ? await Promise.all([sumStopped(ctx.db), listOpenStatusIncidents(ctx.db)]) : [[], []];
  return { ...incident, entries, owner: ownerOf(entries), done: doneSteps(entries), stopped, disruptions };
}

/**
 * Opens an incident for a trouble, or finds the one that is open, however many people press at once. The person who opens it is on it.
 *
 * @throws Refusal `forbidden`
 */
export async function openIncident(ctx: Uses<"db" | "clock">, { by, trouble }: { by: ByPerson; trouble: Trouble }): Promise<string> {
  refuseUnlessOperator(by.actor, "resend_callback");
  const now = ctx.clock.now();
  const { name, part, detail, runbook, since } = trouble;
  return await ctx.db.transaction(async (tx) => {
    const { id, isNew } = await open(tx, {
      id: newId("incident", now),
      trouble: name,
      part,
      detail,
      runbook,
      beganAt: since,
      openedAt: now,
    });
    if (!isNew) return id;
    await addEntry(tx, { id: newId("incidentEntry", now), incidentId: id, kind: "opened", ...(await authorOf(tx, by)), at: now });
    await insertAuditEntry(tx, { by, partnerId: null, action: "incident.opened", objectId: id, change: { trouble: name } });
    return id;
  });
}

/**
 * What a person adds to the timeline. `published`: a note that partners and the public read as well. `ended` closes the incident: then
 * nothing can be added.
 */
export type Addition =
  | { kind: "taken" }
  | { kind: "noted"; text: string }
  | { kind: "published"; text: string; disruptionId: string }
  | { kind: "step_done" | "step_undone"; step: number; text: string }
  | { kind: "ended" };

/** @throws Refusal `forbidden`, `not_found`, `invalid_state` once it has ended, and for a public note that is too long */
export async function addToIncident(
  ctx: Uses<"db" | "clock">,
  { by, id, addition }: { by: ByPerson; id: string; addition: Addition },
): Promise<void> {
  refuseUnlessOperator(by.actor, "resend_callback");
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const incident = await lockIncident(tx, id);
    if (incident === null) throw notFound();
    if (incident.endedAt !== null) throw new Refusal("invalid_state", { detail: "The incident has ended." });
    // The timeline is in order, also where two people act in one millisecond.
    const last = (await listEntries(tx, [id])).get(id)?.at(-1)?.at.getTime() ?? 0;
    const at = new Date(Math.max(now.getTime(), last + 1));
    const { disruptionId: _, ...entry } = { disruptionId: null, ...addition };
    await addEntry(tx, { id: newId("incidentEntry", now), incidentId: id, ...entry, ...(await authorOf(tx, by)), at });
    if (addition.kind === "published") await publishNote(tx, { by, incidentId: addition.disruptionId, text: addition.text, at: now });
    if (addition.kind !== "ended") return;
    await end(tx, id, now);
    await insertAuditEntry(tx, { by, partnerId: null, action: "incident.ended", objectId: id, change: {} });
  });
}

async function authorOf(tx: Uses<"db">["db"], by: ByPerson): Promise<{ byId: string; byName: string }> {
  const user = await findUser(tx, by.actor.userId);
  return { byId: by.actor.userId, byName: user?.name ?? "" };
}

function notFound(): Refusal {
  return new Refusal("not_found", { detail: "There is no such incident." });
}
