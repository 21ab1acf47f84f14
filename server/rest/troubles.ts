import { type Trouble, type TroublePart, withoutInternals } from "#contract/trouble.ts";
import type { Replica } from "#db/replica.ts";
import { type HaltScope, type HaltScopeKind, haltCauseWords } from "#domain/halt-scope.ts";
import type { Runbook } from "#domain/runbook.ts";
import { type Cause, findCauses } from "#domain/trouble-causes.ts";
import { type RateAge, WATCH_PATIENCE } from "#domain/vitals.ts";
import type { Uses } from "#server/context.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { readOpenNotes } from "#server/services/maintenance/service-status.ts";
import { inTime, readChecks } from "./checks.ts";

/** The state of the replica for lists. */
type ReplicaReport = Pick<Replica, "state">;
type Needs = Uses<"db" | "chains" | "clock" | "screener">;
type Met = { part: TroublePart; name: string; detail: string; since: Date | null; runbook: Runbook };
/** The troubles, and the pairs that cannot be quoted, each with the partners that may quote it. */
type Found = { troubles: Trouble[]; unquotable: readonly RateAge[]; notes: readonly Trouble[] };

/** However many pages are open, it is measured at most once in this time. */
const LOOK_EVERY_MS = 1_000;
/** A healthy database answers in a tenth of that, also on a busy machine. */
const SLOW_MS = 1_000;
/** Troubles that come and go in normal operation are only reported after this time. */
const LASTING_MS: Partial<Record<TroublePart, number>> = {
  database_slow: 5_000,
  work: 10_000,
  payments: 5_000,
  screening: 5_000,
  replica: 5_000,
};

/** When each trouble was first seen; the facts themselves are better where they know. */
const firstMet = new Map<string, Date>();
let last: { at: number; reading: Promise<Found> } | null = null;
/** As they were last read: they stay while the database is away. */
let lastNotes: readonly Trouble[] = [];

const NOBODY = "nobody";

/**
 * Reports current troubles to a page of the console, within some seconds and also while the database is unavailable: then the user is
 * unknown, and it reports what everybody may know. A partner's users never see internal details.
 */
export async function answerTroubles(
  ctx: Needs,
  readHolder: () => Promise<{ partnerId: string | null } | null>,
  replica: ReplicaReport | null = null,
): Promise<Response> {
  const reading = readHolder().then(
    (holder) => holder ?? NOBODY,
    () => null,
  );
  const [who, found] = await Promise.all([inTime(reading), readTroubles(ctx, replica)]);
  if (who === NOBODY) return json(401, []);
  return json(200, visibleTo(who, found));
}

/** The same for a server-rendered page, so that the troubles are there from the beginning. */
export async function troublesFor(ctx: Needs, holder: { partnerId: string | null }, replica: ReplicaReport | null): Promise<Trouble[]> {
  return visibleTo(holder, await readTroubles(ctx, replica));
}

function visibleTo(who: { partnerId: string | null } | null, { troubles, unquotable, notes }: Found): Trouble[] {
  if (who !== null && who.partnerId === null) return troubles;
  const isOwn = ({ partnerIds }: RateAge) => partnerIds === null || (who?.partnerId != null && partnerIds.includes(who.partnerId));
  const pairs = unquotable.filter(isOwn).map(({ pair }) => pair);
  // The user is unknown here, but not to the page: it shows the runbook only to operators.
  const runbookOf = (part: TroublePart) => (who === null && part === "database" ? "database-away" : null);
  return [...withoutInternals(troubles, pairs).map((trouble) => ({ ...trouble, runbook: runbookOf(trouble.part) })), ...notes];
}

function json(status: number, troubles: readonly Trouble[]): Response {
  return Response.json({ troubles }, { status, headers: { "cache-control": "no-store" } });
}

/** The current troubles of the service, from the measurements of `/ready` and the halts. Never takes longer than some seconds. */
function readTroubles(ctx: Needs, replica: ReplicaReport | null): Promise<Found> {
  if (last === null || performance.now() - last.at > LOOK_EVERY_MS) last = { at: performance.now(), reading: look(ctx, replica) };
  return last.reading;
}

async function look(ctx: Needs, replica: ReplicaReport | null): Promise<Found> {
  const [{ checks, tookMs, vitals }, halts, notes] = await Promise.all([
    readChecks(ctx, WATCH_PATIENCE),
    inTime(listOpenHalts(ctx).catch(() => null)),
    inTime(readOpenNotes(ctx).catch(() => null)),
  ]);
  const now = ctx.clock.now();
  const { rates, waitingTransfers } = vitals ?? { rates: [], waitingTransfers: [] };
  const met = findCauses(checks, { rates, waitingTransfers }, ctx.chains.list()).map((cause) => toMet(cause, now));
  const addTrouble = (part: TroublePart, name: string, detail: string, runbook: Runbook, since: Date | null = null) =>
    void met.push({ part, name, detail, since, runbook });
  if (vitals !== null && tookMs > SLOW_MS) addTrouble("database_slow", "database_slow", `took ${tookMs} ms`, "database-away");
  for (const { id, scope, cause, detail, since } of halts ?? [])
    addTrouble("halt", `halt ${id}`, `${nameOf(scope)}, ${haltCauseWords(cause)}: ${detail}`, "halts", since);
  for (const { detail } of ctx.screener.state().troubles) addTrouble("screening", `screening ${detail}`, detail, "screening");
  const state = replica?.state();
  if (state?.isRead === false) addTrouble("replica", "replica", state.detail, "replica");
  if (notes !== null) lastNotes = notes.map(toTrouble);
  return { troubles: lasting(met, now), unquotable: rates.filter(({ fresh }) => !fresh), notes: lastNotes };
}

/** A note to partners about what lasts. */
function toTrouble({ incidentId, at, text }: Awaited<ReturnType<typeof readOpenNotes>>[number]): Trouble {
  return { part: "note", name: `note ${incidentId}`, detail: text, since: at.toISOString(), runbook: null };
}

/** Wallets and partners are known to people by other names than their rows': the treasury page has those. */
const NAMED: Partial<Record<HaltScopeKind, string>> = { wallet: "a treasury wallet", partner: "a partner", all: "all payments" };

function nameOf({ kind, key }: HaltScope): string {
  return NAMED[kind] ?? `${kind} ${key}`;
}

function toMet({ forSeconds, ...cause }: Cause, now: Date): Met {
  return { ...cause, since: forSeconds === undefined ? null : new Date(now.getTime() - forSeconds * 1_000) };
}

function lasting(met: readonly Met[], now: Date): Trouble[] {
  const names = new Set(met.map(({ name }) => name));
  for (const name of firstMet.keys()) if (!names.has(name)) firstMet.delete(name);
  return met.flatMap(({ part, name, detail, since, runbook }) => {
    const first = firstMet.get(name) ?? now;
    firstMet.set(name, first);
    if (now.getTime() - first.getTime() < (LASTING_MS[part] ?? 0)) return [];
    return [{ part, name, detail, since: (since ?? first).toISOString(), runbook }];
  });
}
