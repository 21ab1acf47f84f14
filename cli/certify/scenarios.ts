import type { Effects, Interference, Seen } from "./proxy.ts";

/** What one run of a client left behind: two exits where it was started twice. */
export type Run = {
  seen: readonly Seen[];
  effects: Effects;
  /** Exit codes; null: it was still running when its time was over. */
  exits: readonly (number | null)[];
};

/** One fault, and how a correct client reacts to it. */
export type Scenario = {
  name: string;
  title: string;
  /** What becomes of a partner whose client does otherwise. */
  danger: string;
  interfere?: Interference;
  /** What the client is shown in place of an answer about a settlement or a batch. */
  alter?: (operation: string, answer: Record<string, unknown>) => object;
  clockOffsetSeconds?: number;
  /** The order, or the last item of the batch, if it is not an ordinary one. */
  order?: (pair: { maximum_source_amount: number }) => object;
  /** Started a second time with the same order. */
  isStartedAgain?: boolean;
  limitMs?: number;
  /** Null: it passed. */
  judge(run: Run): string | null;
};

export const first =
  (operation: string, trouble: ReturnType<Interference>): Interference =>
  (request) =>
    request.operation === operation && request.count === 1 ? trouble : null;

export const of = ({ seen }: Run, operation: string) => seen.filter((each) => each.operation === operation);
const some = <Value>(values: readonly (Value | null)[]): Value[] => values.filter((value): value is Value => value !== null);
const different = (values: readonly (string | null)[]): string[] => [...new Set(some(values))];
export const lastExit = ({ exits }: Run) => exits.at(-1);

export const PAYS_TWICE = "After a lost answer, you pay twice.";
export const LOCKED_OUT = "A client that retries too fast is throttled or blocked, exactly when the service is in trouble.";

/** It settled the one order, once, and said so. */
function settledOnce(run: Run): string | null {
  const { made, confirmed } = run.effects;
  if (made.size > 1) return `It created ${made.size} settlements for one order.`;
  if (confirmed.size === 0) return `It confirmed nothing${refusalsOf(run)}.`;
  if (lastExit(run) === null) return "It settled, but did not exit.";
  return lastExit(run) === 0 ? null : `It settled, but exited with code ${lastExit(run)}${refusalsOf(run)}.`;
}

export function refusalsOf({ seen, exits }: Run): string {
  const codes = different(seen.map(({ code }) => code));
  return `${codes.length === 0 ? "" : ` (it was refused: ${codes.join(", ")})`}, exit ${exits.map((exit) => exit ?? "none").join(" and ")}`;
}

/** Whether a refused or lost request was repeated unchanged. */
function sameAgain(run: Run, operation: string): string | null {
  const asked = of(run, operation);
  if (asked.length < 2) return `It did not retry${refusalsOf(run)}.`;
  if (operation === "create") {
    if (asked.some(({ idempotencyKey }) => idempotencyKey === null)) return "It retried without an Idempotency-Key.";
    if (different(asked.map(({ idempotencyKey }) => idempotencyKey)).length > 1) return "It retried with another Idempotency-Key.";
    if (different(asked.map(({ body }) => body)).length > 1) return "It retried with another body. A retry must send the same bytes.";
  }
  const references = different(asked.map(({ externalTxId }) => externalTxId));
  return references.length > 1 ? `It confirmed again under another reference: ${references.join(", ")}.` : null;
}

/** Whether the client waited as long as each answer asked for. Both use the same clock, and a client can only be late. */
function waited(run: Run): string | null {
  for (const [index, { retryAfter, endedAt, operation }] of run.seen.entries()) {
    const next = retryAfter === null ? undefined : run.seen.slice(index + 1).find((each) => each.operation === operation);
    if (retryAfter === null || next === undefined) continue;
    const gap = next.at - endedAt;
    if (gap < retryAfter * 1_000 - 20) return `Retry-After said ${retryAfter} s, but it retried after ${(gap / 1_000).toFixed(2)} s.`;
  }
  return null;
}

export function gaveUp(run: Run, most: number, asked: readonly Seen[]): string | null {
  if (asked.length > most) return `It sent it ${asked.length} times.`;
  return lastExit(run) === 0 ? "It exited with 0, as if it had succeeded." : null;
}

const oneOf =
  (...judges: ((run: Run) => string | null)[]) =>
  (run: Run) =>
    some(judges.map((judge) => judge(run)))[0] ?? null;

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "plain",
    title: "Quotes, confirms once, exits with 0 and ignores unknown fields",
    danger: "Nothing works.",
    judge: settledOnce,
  },
  {
    name: "idempotency key",
    title: "Sends an Idempotency-Key when it creates a settlement",
    danger: PAYS_TWICE,
    judge: (run) => (of(run, "create").some(({ idempotencyKey }) => idempotencyKey !== null) ? null : "It sent none."),
  },
  {
    name: "429",
    title: "Waits as long as Retry-After says (429), then sends the same request again",
    danger: LOCKED_OUT,
    interfere: first("create", { refuse: "rate_limited", retryAfter: 2 }),
    judge: oneOf(waited, (run) => sameAgain(run, "create"), settledOnce),
  },
  {
    name: "503",
    title: "Waits and confirms again when the service is down (503)",
    danger: "A settlement gets stuck because the service was down for two seconds.",
    interfere: ({ operation, count }) =>
      operation === "confirm" && count <= 2 ? { refuse: "temporarily_unavailable", retryAfter: 1 } : null,
    judge: oneOf(waited, (run) => sameAgain(run, "confirm"), settledOnce),
  },
  {
    name: "lost quote",
    title: "Creates only one settlement when the answer to its quote is lost",
    danger: "Each lost answer leaves an unknown quote behind. If it is confirmed, you pay twice.",
    interfere: first("create", { lose: "answer" }),
    judge: oneOf((run) => sameAgain(run, "create"), settledOnce),
  },
  {
    name: "lost confirmation",
    title: "Confirms with the same reference when the answer to its confirmation is lost",
    danger: PAYS_TWICE,
    interfere: first("confirm", { lose: "answer" }),
    judge: oneOf((run) => (of(run, "confirm").length > 1 ? sameAgain(run, "confirm") : null), settledOnce),
  },
  {
    name: "crash",
    title: "Does not settle the order twice when it restarts after a crash during its confirmation",
    danger: PAYS_TWICE,
    isStartedAgain: true,
    interfere: first("confirm", { lose: "answer", andThen: "kill" }),
    judge: ({ effects: { confirmed }, exits }) => {
      if (confirmed.size === 0) return "It confirmed nothing.";
      if (confirmed.size > 1) return `It confirmed ${confirmed.size} settlements for one order.`;
      return exits.at(-1) === null ? "After the restart, it did not exit." : null;
    },
  },
  {
    name: "slow answer",
    title: "Waits for an answer that takes six seconds",
    danger: "A client that gives up too early asks twice.",
    interfere: first("create", { delayMs: 6_000 }),
    judge: settledOnce,
  },
  {
    name: "409 in progress",
    title: "Waits while its first request is still being answered (409 idempotency_in_progress)",
    danger: PAYS_TWICE,
    interfere: first("create", { refuse: "idempotency_in_progress", retryAfter: 1 }),
    judge: oneOf(waited, (run) => sameAgain(run, "create"), settledOnce),
  },
  {
    name: "409 approval",
    title: "Does not retry too fast while an approval is pending (409 approval_pending)",
    danger: LOCKED_OUT,
    order: ({ maximum_source_amount: most }) => ({ source_amount: most + 1 }),
    limitMs: 6_000,
    judge: (run) => {
      const { size } = run.effects.made;
      if (size > 1) return `It created ${size} settlements instead of waiting for the first.`;
      return gaveUp(run, 8, of(run, "confirm"));
    },
  },
  {
    name: "409 changed",
    title: "Does not confirm an amount other than the quoted one (409 quote_changed)",
    danger: "Your merchant receives an amount that no one agreed to.",
    alter: (operation, answer) => (operation === "create" ? { destination_amount: Number(answer.destination_amount) + 1 } : {}),
    judge: (run) => {
      if (run.effects.confirmed.size === 0) return lastExit(run) === 0 ? "It exited with 0, but settled nothing." : null;
      const named = of(run, "confirm")[0]?.body.includes("expected_destination_amount") === true;
      return named
        ? "It accepted the new amount automatically."
        : "It sent no expected_destination_amount, and confirmed one unit less than it was quoted.";
    },
  },
  {
    name: "409 conflict",
    title: "Does not invent a new reference when its own is taken (409 external_tx_id_conflict)",
    danger: PAYS_TWICE,
    interfere: ({ operation }) => (operation === "confirm" ? { refuse: "external_tx_id_conflict" } : null),
    judge: (run) => {
      const references = different(of(run, "confirm").map(({ externalTxId }) => externalTxId));
      if (references.length > 1) return `It tried other references: ${references.join(", ")}.`;
      return gaveUp(run, 2, of(run, "confirm"));
    },
  },
  {
    name: "410",
    title: "Does not confirm an expired quote again (410), and uses a new Idempotency-Key for a new quote",
    danger: "It retries forever on a quote that no longer counts.",
    // Moving the sandbox's clock would expire all other quotes too.
    interfere: ({ operation, txId, made }) => {
      const now = new Date().toISOString();
      const [first] = made.keys();
      const isExpired = operation === "confirm" && txId === first;
      return isExpired ? { refuse: "quote_expired", members: { expired_at: now, server_time: now } } : null;
    },
    judge: (run) => {
      const [expired] = run.effects.made.keys();
      const again = of(run, "confirm").filter(({ txId }) => txId === expired).length;
      if (again > 1) return `It confirmed the expired quote ${again} times.`;
      const keys = some(of(run, "create").map(({ idempotencyKey }) => idempotencyKey));
      if (new Set(keys).size < keys.length) return "It requested a new quote with the old Idempotency-Key, and got the old quote.";
      return run.effects.confirmed.size === 0 && lastExit(run) === 0 ? "It exited with 0, but settled nothing." : null;
    },
  },
  {
    name: "401",
    title: "Stops when its key was revoked (401)",
    danger: LOCKED_OUT,
    interfere: () => ({ refuse: "revoked_api_key" }),
    judge: (run) => gaveUp(run, 3, run.seen),
  },
  {
    name: "422",
    title: "Stops when its order is refused (422)",
    danger: LOCKED_OUT,
    order: () => ({ wallet_address: "0x70997970c51812dc3A010C7d01b50e0d17dc79C8" }),
    judge: (run) => gaveUp(run, 1, of(run, "create")),
  },
  {
    name: "clock",
    title: "Uses the service's time, or stops, when its own clock is an hour off (401 stale_timestamp)",
    danger: "A machine with a wrong clock cannot send any request.",
    clockOffsetSeconds: 3_600,
    judge: (run) => {
      const stale = run.seen.filter(({ code }) => code === "stale_timestamp").length;
      if (stale > 3) return `It was refused ${stale} times because its clock is wrong.`;
      return run.effects.confirmed.size === 0 && lastExit(run) === 0 ? "It exited with 0, but settled nothing." : null;
    },
  },
];
