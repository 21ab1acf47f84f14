import { keptPerRequest, type Look } from "./memory.ts";
import { alike, type Outcome, rule } from "./outcome.ts";

/** A settlement that a client saw confirmed, with the answer. */
export type Owed = { id: string; wallet: string; amountBase: bigint; callbackUrl: string };

/** One answer, or none; and how long it took, where somebody measured. */
export type QueryBoundary = { what: string; status: number | null; hasRetryAfter: boolean; detail: string; tookMs?: number };

/** A settlement as the service's database has it. */
export type KnownSettlement = { id: string; status: string; wallet: string; txHash: string | null };
export type KnownCallback = { id: string; subjectId: string; state: string; url: string; completed: number };

/** A payment as the chain has it. */
export type Payment = { wallet: string; amountBase: bigint; txHash: string };

/** A callback that a receiver got. `acknowledged`: it answered 2xx. `trouble`: what was wrong with it. */
export type Heard = { callbackId: string; subjectId: string; txHash: string | null; acknowledged: boolean; trouble: string | null };

/** The facts after a run. Those that an experiment does not collect stay empty. */
export type Facts = {
  owed: readonly Owed[];
  answers: readonly QueryBoundary[];
  settlements: readonly KnownSettlement[];
  callbacks: readonly KnownCallback[];
  payments: readonly Payment[];
  heard: readonly Heard[];
  /** Kills, freezes and losses of the database: each may have a callback sent once more. */
  interruptions: number;
  /** Whether web processes died, so that a connection may break. */
  websDied: boolean;
  /** From the end of the last fault until nothing was due any more; null: that never happened. */
  drainedAfterMs: number | null;
  /** How long a signed payment may still be open on its chain: what was lost at the last fault is made again only afterwards. */
  lapseMs: number;
  /** How late healthy receivers got their callbacks, in milliseconds. */
  latenessMs: readonly number[];
  /** Each process's memory at several moments of its load. */
  memory: readonly { process: string; looks: readonly Look[] }[];
  /** After which fault the service worked normally again, and how long that took. */
  recoveries: readonly { after: string; ms: number }[];
  audit: { checked: number; violations: readonly string[] };
  /** What the experiment itself judges. */
  own: readonly Outcome[];
};

export const NOTHING: Facts = {
  owed: [],
  answers: [],
  settlements: [],
  callbacks: [],
  payments: [],
  heard: [],
  latenessMs: [],
  memory: [],
  recoveries: [],
  own: [],
  interruptions: 0,
  websDied: false,
  drainedAfterMs: 0,
  lapseMs: 0,
  audit: { checked: 0, violations: [] },
};

const DRAINED_WITHIN_MS = 60_000;
const GOOD_WITHIN_MS = 5_000;
const LATE_MS = 1_000;
const COMPLETE = 6;
/** A process loads and compiles code for this many requests, some 4 to 5 KB per request (docs/reliability.md). */
const WARM_REQUESTS = 4_000;
/** What may be left of a request once it is warm, by many of them: less than its own line and headers would be. */
const MAY_KEEP_BYTES = 2_048;
/** Before that, loaded code and leaks look alike, except for leaks of whole requests. */
const MAY_KEEP_WARMING_BYTES = 16_384;
const ENOUGH_LOOKS = 4;
/** How much the resident memory of a warm process may still vary: V8 grows and shrinks it. */
const MAY_GROW = { share: 0.2, bytes: 24 * 1_048_576 };

/**
 * Judges a run by comparing what clients, chain, receivers and database recorded. `patience`: a factor on the promised times, for a machine
 * that has other work as well.
 */
export function judge(facts: Facts, patience = 1): Outcome[] {
  const [drainedWithinMs, goodWithinMs] = [patience * DRAINED_WITHIN_MS + facts.lapseMs, patience * GOOD_WITHIN_MS];
  return [
    nothingLost(facts),
    nothingDoubled(facts),
    everyOutcomeDelivered(facts),
    callbacksAreTrue(facts),
    repeatsAreFew(facts),
    rule("drained", `all work is done within ${seconds(drainedWithinMs)} of the last fault`, [facts.drainedAfterMs], (ms) =>
      ms !== null && ms <= drainedWithinMs ? [] : [ms === null ? "work was left" : `after ${seconds(ms)}`],
    ),
    rule("answers", "no 5xx except 503 with Retry-After, and always an answer unless a process died", facts.answers, (answer) =>
      faultOf(answer, facts.websDied),
    ),
    inTime(facts, patience * LATE_MS),
    rule("memory", "no process keeps memory of answered requests, or grows under its load", facts.memory, ({ process, looks }) =>
      [...keepings(looks), ...growth(looks)].map((fault) => `${process} ${fault}`),
    ),
    rule("recovers_in_time", `the service recovers within ${seconds(goodWithinMs)}`, facts.recoveries, ({ after, ms }) =>
      ms <= goodWithinMs ? [] : [`${seconds(ms)} after ${after}`],
    ),
    { rule: "audit", title: "every rule of the audit holds", checked: facts.audit.checked, violations: [...facts.audit.violations] },
    ...facts.own,
  ];
}

function nothingLost({ owed, settlements, payments }: Facts): Outcome {
  const known = new Map(settlements.map((settlement) => [settlement.id, settlement]));
  const paid = Map.groupBy(payments, ({ wallet }) => wallet.toLowerCase());
  return rule(
    "nothing_lost",
    "every settlement that a client saw confirmed is executed, and its wallet has the amount",
    owed,
    (payment) => {
      const settlement = known.get(payment.id);
      if (settlement === undefined) return [`${payment.id} is missing`];
      if (settlement.status !== "executed") return [`${payment.id} is ${settlement.status}`];
      const fitting = (paid.get(payment.wallet.toLowerCase()) ?? []).filter(
        ({ amountBase, txHash }) => amountBase === payment.amountBase && alike(txHash, settlement.txHash),
      );
      return fitting.length > 0 ? [] : [`${payment.id} is executed, but the chain has no such payment`];
    },
  );
}

function nothingDoubled({ settlements, payments }: Facts): Outcome {
  const owners = Map.groupBy(settlements, ({ wallet }) => wallet.toLowerCase());
  const paid = [...Map.groupBy(payments, ({ wallet }) => wallet.toLowerCase())];
  return rule(
    "nothing_doubled",
    "every payment on the chain belongs to one executed settlement, which has no other",
    paid,
    ([wallet, sent]) => {
      const executed = (owners.get(wallet) ?? []).filter(({ status }) => status === "executed");
      const by = [...new Set(sent.map(({ txHash }) => txHash))].join(", ");
      return sent.length <= executed.length
        ? []
        : [`${wallet} was paid ${sent.length} times for ${executed.length} executed settlements, in ${by}`];
    },
  );
}

function everyOutcomeDelivered({ owed, callbacks }: Facts): Outcome {
  const bySubject = Map.groupBy(callbacks, ({ subjectId, url }) => `${subjectId} ${url}`);
  return rule(
    "every_outcome_delivered",
    "each outcome is delivered, or undelivered after six completed attempts",
    owed,
    ({ id, callbackUrl }) => {
      const own = bySubject.get(`${id} ${callbackUrl}`) ?? [];
      const [callback] = own;
      if (callback === undefined || own.length > 1) return [`${id} has ${own.length} callbacks`];
      if (callback.state === "delivered" && callback.completed <= COMPLETE) return [];
      if (callback.state === "undelivered" && callback.completed === COMPLETE) return [];
      return [`${callback.id} is ${callback.state} after ${callback.completed} attempts`];
    },
  );
}

function callbacksAreTrue({ callbacks, heard, settlements }: Facts): Outcome {
  const known = new Map(callbacks.map((callback) => [callback.id, callback]));
  const hashes = new Map(settlements.map(({ id, txHash }) => [id, txHash]));
  const ids = new Set(heard.filter(({ acknowledged }) => acknowledged).map(({ callbackId }) => callbackId));
  const wrong = rule(
    "callbacks_true",
    "every callback that receivers got is true and signed, and they got each that counts as delivered",
    heard,
    (one) => {
      if (one.trouble !== null) return [`${one.callbackId}: ${one.trouble}`];
      if (known.get(one.callbackId)?.subjectId !== one.subjectId) return [`${one.callbackId} about ${one.subjectId} has no owner`];
      return alike(one.txHash, hashes.get(one.subjectId) ?? null) ? [] : [`${one.callbackId} names another payment`];
    },
  );
  // Receivers that keep no record, because they hang or lie, are skipped.
  const asked = heard.length === 0 ? [] : callbacks.filter(({ state }) => state === "delivered");
  const silent = asked.filter(({ id }) => !ids.has(id)).map(({ id }) => `${id} is delivered, but no receiver got it`);
  return { ...wrong, checked: wrong.checked + asked.length, violations: [...wrong.violations, ...silent] };
}

function repeatsAreFew({ heard, interruptions }: Facts): Outcome {
  const acknowledged = Map.groupBy(
    heard.filter((one) => one.acknowledged),
    ({ callbackId }) => callbackId,
  );
  return rule(
    "few_repeats",
    "an acknowledged callback is sent again at most once for each interruption",
    [...acknowledged],
    ([id, posts]) =>
      posts.length - 1 <= interruptions ? [] : [`${id} was acknowledged ${posts.length} times at ${interruptions} interruptions`],
  );
}

function faultOf({ what, status, hasRetryAfter, detail }: QueryBoundary, websDied: boolean): string[] {
  if (status === null) return websDied ? [] : [`${what}: no answer (${detail})`];
  if (status < 500 || (status === 503 && hasRetryAfter)) return [];
  return [`${what}: ${status}${status === 503 ? " without Retry-After" : ""} ${detail}`];
}

function keepings(looks: readonly Look[]): string[] {
  const warm = looks.filter(({ requests }) => requests > WARM_REQUESTS);
  const isWarm = warm.length >= ENOUGH_LOOKS;
  const kept = keptPerRequest(isWarm ? warm : looks);
  return kept > (isWarm ? MAY_KEEP_BYTES : MAY_KEEP_WARMING_BYTES) ? [`keeps ${Math.round(kept)} bytes of each request`] : [];
}

/** The resident memory. */
function growth(looks: readonly Look[]): string[] {
  const [warming, warm] = [
    looks.filter(({ requests }) => requests <= WARM_REQUESTS),
    looks.filter(({ requests }) => requests > WARM_REQUESTS),
  ];
  if (warming.length === 0) return [];
  const before = Math.max(...warming.map(({ residentBytes }) => residentBytes));
  const after = warm.at(-1)?.residentBytes ?? 0;
  if (after <= before * (1 + MAY_GROW.share) + MAY_GROW.bytes) return [];
  return [`grew from ${Math.round(before / 1_048_576)} to ${Math.round(after / 1_048_576)} MB`];
}

function inTime({ latenessMs }: Facts, limitMs: number): Outcome {
  const sorted = latenessMs.toSorted((one, other) => one - other);
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1];
  const late = p99 !== undefined && p99 > limitMs ? [`the 99th percentile is ${seconds(p99)}`] : [];
  return {
    rule: "lateness",
    title: `healthy receivers get a callback within ${seconds(limitMs)} of its due time (p99)`,
    checked: latenessMs.length,
    violations: late,
  };
}

export const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** All rules for one of several runs of an experiment, under its name. */
export function judgeAs(name: string, facts: Facts, patience: number): Outcome[] {
  return judge(facts, patience).map((outcome) => ({ ...outcome, rule: `${outcome.rule} (${name})`, title: `${outcome.title} (${name})` }));
}
