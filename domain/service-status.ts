import { isHaltReason, type ScopeHalt } from "./halt-scope.ts";
import { waitsForCap } from "./signer-caps.ts";
import type { Check, Vitals } from "./vitals.ts";

/**
 * What anybody may know of the service's state: each surface's, and the disruptions behind it. It names no partner, wallet or cause that
 * only insiders need (docs/decisions/service-status.md).
 */

/** Surfaces that every installation has. There is one more for the payments of each chain: {@link paymentsOn}. */
export const FIXED_SURFACES = ["settlement_api", "partner_management", "fiat", "callbacks", "console"] as const;
/** A surface's id, as the public answer and the tables have it. */
export type SurfaceId = (typeof FIXED_SURFACES)[number] | `payments:${string}`;
export type Impairment = "degraded" | "down";
export type ServiceState = "operational" | Impairment;

/** Why something is impaired, in the words of people outside. */
export const DISRUPTION_CAUSES = [
  /** No request can be answered. */
  "unavailable",
  /** Answers take longer than usual. */
  "slow",
  /** No worker does what is due. */
  "processing",
  /** A chain's nodes do not answer, or the chain has no new blocks. */
  "chain",
  /** Payments of a chain are late. */
  "payments",
  /** Payments of a chain are stopped until people have looked. */
  "paused",
  /** Recipients cannot be checked, so their payments wait. */
  "checks",
  "fiat",
  "callbacks",
  /** A pair has no current rate. */
  "rates",
] as const;
export type DisruptionCause = (typeof DISRUPTION_CAUSES)[number];

/** One disruption, and what it does to each surface. `chain`: CAIP-2, where it concerns one chain. */
export type Disruption = { cause: DisruptionCause; chain: string | null; impairs: Readonly<Partial<Record<SurfaceId, Impairment>>> };

/** What one look at the service shows. `vitals` null: the database did not answer in time. */
export type Look = {
  checks: readonly Check[];
  isSlow: boolean;
  vitals: (Pick<Vitals, "waitingTransfers"> & { halts: readonly Pick<ScopeHalt, "scope">[] }) | null;
  isScreeningSilent: boolean;
};

/** The time between two looks, in which the same disruptions were there. */
export type StatusSpan = { from: Date; until: Date; disruptions: readonly Disruption[] };

export function paymentsOn(chain: string): SurfaceId {
  return `payments:${chain}`;
}

/** All surfaces of an installation with these chains, in the order in which people read them. */
export function surfacesOf(chains: readonly string[]): SurfaceId[] {
  return ["settlement_api", "partner_management", ...chains.map(paymentsOn), "fiat", "callbacks", "console"];
}

/** The current disruptions, once for each cause and chain. Consequences of another disruption are part of it. */
export function findDisruptions(look: Look, chains: readonly string[]): Disruption[] {
  const { vitals, isSlow, isScreeningSilent } = look;
  if (vitals === null) return [{ cause: "unavailable", chain: null, impairs: impair("down", surfacesOf(chains)) }];
  const failing = new Set(look.checks.filter(({ ok }) => !ok).map(({ name }) => name));
  const payments = chains.map(paymentsOn);
  const found = (isFound: boolean, disruption: Omit<Disruption, "chain">): Disruption[] =>
    isFound ? [{ ...disruption, chain: null }] : [];
  const rates = found(failing.has("rates"), { cause: "rates", impairs: { settlement_api: "degraded" } });
  const slow = found(isSlow, { cause: "slow", impairs: impair("degraded", ["settlement_api", "partner_management", "console"]) });
  if (failing.has("worker"))
    return [...slow, ...found(true, { cause: "processing", impairs: impair("down", [...payments, "fiat", "callbacks"]) }), ...rates];
  return [
    ...slow,
    ...chains.flatMap((chain) => ofChain(chain, failing, vitals)),
    ...found(isScreeningSilent, { cause: "checks", impairs: impair("degraded", payments) }),
    ...found(failing.has("withdrawals") || failing.has("topups") || vitals.halts.some(({ scope }) => scope.kind === "provider"), {
      cause: "fiat",
      impairs: { fiat: "degraded" },
    }),
    ...found(failing.has("callbacks"), { cause: "callbacks", impairs: { callbacks: "degraded" } }),
    ...rates,
  ];
}

/** At most one of a chain: the cause that explains the others. */
function ofChain(chain: string, failing: ReadonlySet<string>, vitals: NonNullable<Look["vitals"]>): Disruption[] {
  const one = (cause: DisruptionCause, state: Impairment): Disruption[] => [{ cause, chain, impairs: { [paymentsOn(chain)]: state } }];
  if (failing.has(`chain ${chain}`)) return one("chain", "down");
  if (vitals.halts.some(({ scope }) => scope.kind === "all" || (scope.kind === "chain" && scope.key === chain)))
    return one("paused", "down");
  const waiting = vitals.waitingTransfers.filter((each) => each.chain === chain);
  // What is halted for one partner concerns nobody else.
  const haltsMany = vitals.halts.some(({ scope }) => scope.kind !== "partner");
  if (haltsMany && waiting.some(({ reason }) => isHaltReason(reason))) return one("paused", "degraded");
  // A payment that waits for a decision about itself says nothing of the others.
  const isLate = waiting.some(({ kind, reason }) => !isHaltReason(reason) && kind !== "review" && waitsForCap(reason) === null);
  return isLate || failing.has("transfers") ? one("payments", "degraded") : [];
}

function impair(state: Impairment, surfaces: readonly SurfaceId[]): Disruption["impairs"] {
  return Object.fromEntries(surfaces.map((surface) => [surface, state]));
}

/** What a disruption and its later looks have in common. */
export function disruptionKey({ cause, chain }: Pick<Disruption, "cause" | "chain">): string {
  return chain === null ? cause : `${cause} ${chain}`;
}

/** What two looks in a row have found. What only one of them sees comes and goes in normal operation. */
export function lasting(before: readonly Disruption[], now: readonly Disruption[]): Disruption[] {
  const seen = new Set(before.map(disruptionKey));
  return now.filter((disruption) => seen.has(disruptionKey(disruption)));
}

/** The worst that any disruption does to a surface. */
export function stateOf(surface: SurfaceId, disruptions: readonly Pick<Disruption, "impairs">[]): ServiceState {
  const states = disruptions.map(({ impairs }) => impairs[surface]);
  if (states.includes("down")) return "down";
  return states.includes("degraded") ? "degraded" : "operational";
}

const DAY_MS = 86_400_000;

/** The parts of a span in each day of UTC. */
export function splitByDay({ from, until }: Pick<StatusSpan, "from" | "until">): { day: string; from: Date; until: Date }[] {
  const parts: { day: string; from: Date; until: Date }[] = [];
  for (let at = from.getTime(); at < until.getTime(); ) {
    const end = Math.min(until.getTime(), (Math.floor(at / DAY_MS) + 1) * DAY_MS);
    parts.push({ day: dayOf(new Date(at)), from: new Date(at), until: new Date(end) });
    at = end;
  }
  return parts;
}

/** `2026-11-29`, of UTC. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** What the page shows: today and the days before it. */
export const STATUS_DAYS = 90;

/** The days of the page, oldest first. */
export function shownDays(now: Date): string[] {
  return Array.from({ length: STATUS_DAYS }, (_, place) => dayOf(new Date(now.getTime() - (STATUS_DAYS - 1 - place) * DAY_MS)));
}

/** How long a surface was in each state on a day, in milliseconds. The rest of the day is unknown. */
export type StatusDay = { day: string; surface: string; operationalMs: number; degradedMs: number; downMs: number };
export type StatusNote = { at: Date; text: string };
/** `endedAt` null: it lasts. `notes`: what people wrote for the public, oldest first. */
export type StatusIncident = {
  id: string;
  cause: DisruptionCause;
  chain: string | null;
  impairs: Readonly<Record<string, Impairment>>;
  beganAt: Date;
  endedAt: Date | null;
  notes: readonly StatusNote[];
};
export type StatusHistory = { days: readonly StatusDay[]; incidents: readonly StatusIncident[] };

/** What is unknown of a day so far. */
export function unknownMs({ day, operationalMs, degradedMs, downMs }: Omit<StatusDay, "surface">, now: Date): number {
  const begin = Date.parse(`${day}T00:00:00Z`);
  const past = Math.min(DAY_MS, Math.max(0, now.getTime() - begin));
  return Math.max(0, past - operationalMs - degradedMs - downMs);
}

/** Of the known time, the share in which a surface was operational; null: nothing is known. */
export function shareOperational(days: readonly Omit<StatusDay, "surface">[]): number | null {
  const sum = (of: (day: Omit<StatusDay, "surface">) => number) => days.reduce((total, day) => total + of(day), 0);
  const known = sum(({ operationalMs, degradedMs, downMs }) => operationalMs + degradedMs + downMs);
  return known === 0 ? null : sum(({ operationalMs }) => operationalMs) / known;
}
