import { type Trouble, type TroublePart, withoutInternals } from "#contract/trouble.ts";
import type { Replica } from "#db/replica.ts";
import { haltCauseWords, type Lane, type LaneKind } from "#domain/lane.ts";
import { type Check, WATCH_PATIENCE } from "#domain/vitals.ts";
import type { Uses } from "#server/context.ts";
import { listOpenHalts } from "#server/services/halts/halt-lane.ts";
import { inTime, readChecks } from "./checks.ts";

/** How the replica stands that lists are read from. */
type ReplicaTold = Pick<Replica, "state">;
type Needs = Uses<"db" | "chains" | "clock" | "screener">;
type Met = { part: TroublePart; name: string; detail: string; since: Date | null };

/** However many pages are open, it is looked once in so long. */
const LOOK_EVERY_MS = 1_000;
/** A healthy database answers in a tenth of that, also on a busy machine. */
const SLOW_MS = 1_000;
/** What comes and goes in normal work is told only when it has lasted so long. */
const LASTING_MS: Partial<Record<TroublePart, number>> = {
  database_slow: 5_000,
  work: 10_000,
  payments: 5_000,
  screening: 5_000,
  replica: 5_000,
};

/** When each trouble was first met; the facts themselves tell better where they know. */
const firstMet = new Map<string, Date>();
let last: { at: number; reading: Promise<Trouble[]> } | null = null;

const NOBODY = "nobody";

/**
 * Tells a page of the console what is amiss, within some seconds and also when the database is away: then nobody knows who asks, and it
 * is told what everybody may know. A partner's people are never told what is inside.
 */
export async function answerTroubles(
  ctx: Needs,
  readHolder: () => Promise<{ partnerId: string | null } | null>,
  replica: ReplicaTold | null = null,
): Promise<Response> {
  const reading = readHolder().then(
    (holder) => holder ?? NOBODY,
    () => null,
  );
  const [who, troubles] = await Promise.all([inTime(reading), readTroubles(ctx, replica)]);
  if (who === NOBODY) return json(401, []);
  return json(200, toldTo(who, troubles));
}

/** The same for a page that the server draws, so that what is amiss stands there from the beginning. */
export async function troublesFor(ctx: Needs, holder: { partnerId: string | null }, replica: ReplicaTold | null): Promise<Trouble[]> {
  return toldTo(holder, await readTroubles(ctx, replica));
}

function toldTo(who: { partnerId: string | null } | null, troubles: Trouble[]): Trouble[] {
  return who !== null && who.partnerId === null ? troubles : withoutInternals(troubles);
}

function json(status: number, troubles: readonly Trouble[]): Response {
  return Response.json({ troubles }, { status, headers: { "cache-control": "no-store" } });
}

/** What is amiss with the service just now, from the measurements of `/ready` and the halted lanes. Never takes longer than some seconds. */
function readTroubles(ctx: Needs, replica: ReplicaTold | null): Promise<Trouble[]> {
  if (last === null || performance.now() - last.at > LOOK_EVERY_MS) last = { at: performance.now(), reading: look(ctx, replica) };
  return last.reading;
}

async function look(ctx: Needs, replica: ReplicaTold | null): Promise<Trouble[]> {
  const [{ checks, tookMs, vitals }, halts] = await Promise.all([
    readChecks(ctx, WATCH_PATIENCE),
    inTime(listOpenHalts(ctx).catch(() => null)),
  ]);
  const now = ctx.clock.now();
  const met = checks.filter(({ ok }) => !ok).map((check) => toMet(check, now));
  if (vitals !== null && tookMs > SLOW_MS)
    met.push({ part: "database_slow", name: "database_slow", detail: `took ${tookMs} ms`, since: null });
  for (const { id, lane, cause, detail, since } of halts ?? [])
    met.push({ part: "halt", name: `halt ${id}`, detail: `${nameOf(lane)}, ${haltCauseWords(cause)}: ${detail}`, since });
  for (const { detail } of ctx.screener.state().troubles) met.push({ part: "screening", name: `screening ${detail}`, detail, since: null });
  const stands = replica?.state();
  if (stands?.isRead === false) met.push({ part: "replica", name: "replica", detail: stands.detail, since: null });
  return lasting(met, now);
}

/** Wallets and partners are known to people by other names than their rows': the treasury page has those. */
const NAMED: Partial<Record<LaneKind, string>> = { wallet: "a treasury wallet", partner: "a partner", all: "all payments" };

function nameOf({ kind, key }: Lane): string {
  return NAMED[kind] ?? `${kind} ${key}`;
}

function toMet({ name, detail, forSeconds }: Check, now: Date): Met {
  const since = forSeconds === undefined ? null : new Date(now.getTime() - forSeconds * 1_000);
  return { part: partOf(name), name, detail, since };
}

const PARTS: Record<string, TroublePart> = { database: "database", worker: "worker", payments: "payments", rates: "rates" };

function partOf(name: string): TroublePart {
  return name.startsWith("chain ") ? "chain" : (PARTS[name] ?? "work");
}

function lasting(met: readonly Met[], now: Date): Trouble[] {
  const names = new Set(met.map(({ name }) => name));
  for (const name of firstMet.keys()) if (!names.has(name)) firstMet.delete(name);
  return met.flatMap(({ part, name, detail, since }) => {
    const first = firstMet.get(name) ?? now;
    firstMet.set(name, first);
    if (now.getTime() - first.getTime() < (LASTING_MS[part] ?? 0)) return [];
    return [{ part, name, detail, since: (since ?? first).toISOString() }];
  });
}
