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
  /** Of a client for fiat: what it is to make. */
  kind?: "withdrawal" | "topup";
  /** Started a second time with the same order. */
  isStartedAgain?: boolean;
  /** Variables that its environment has as well. */
  given?: (order: object) => Record<string, string>;
  limitMs?: number;
  /** Null: it passed. */
  judge(run: Run): string | null;
};

export const first =
  (operation: string, trouble: ReturnType<Interference>): Interference =>
  (request) =>
    request.operation === operation && request.count === 1 ? trouble : null;

export const of = ({ seen }: Run, operation: string) => seen.filter((each) => each.operation === operation);
export const some = <Value>(values: readonly (Value | null)[]): Value[] => values.filter((value): value is Value => value !== null);
export const different = (values: readonly (string | null)[]): string[] => [...new Set(some(values))];
export const lastExit = ({ exits }: Run) => exits.at(-1);

export const PAYS_TWICE = "After a lost answer, you pay twice.";
export const LOCKED_OUT = "A client that retries too fast is throttled or blocked, exactly when the service is in trouble.";

/** It settled the one order, once, and said so. */
export function settledOnce(run: Run): string | null {
  const { made, confirmed } = run.effects;
  if (made.size > 1) return `It created ${made.size} settlements for one order.`;
  if (confirmed.size === 0) return `It confirmed nothing${refusalsOf(run)}.`;
  if (lastExit(run) === null) return "It settled, but did not exit.";
  if (lastExit(run) !== 0) return `It settled, but exited with code ${lastExit(run)}${refusalsOf(run)}.`;
  return sawTheEnd(run, "executed") ? null : "It exited with 0 before it had read that the settlement is executed.";
}

/** Whether it has read that its order, or batch, ended so. */
export function sawTheEnd({ seen }: Run, end: string): boolean {
  return seen.some(({ operation, shown }) => operation !== "create" && shown === end);
}

/** It did not take a payment that failed for one that succeeded. */
export function knowsFailure(run: Run): string | null {
  if (lastExit(run) === 0) return "It exited with 0, although the payment had failed.";
  return lastExit(run) === null ? "It still waited for a payment that had failed." : null;
}

export function refusalsOf({ seen, exits }: Run): string {
  const codes = different(seen.map(({ code }) => code));
  return `${codes.length === 0 ? "" : ` (it was refused: ${codes.join(", ")})`}, exit ${exits.map((exit) => exit ?? "none").join(" and ")}`;
}

/** Whether a refused or lost request was repeated unchanged. */
export function sameAgain(run: Run, operation: string): string | null {
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
export function waited(run: Run): string | null {
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

export const oneOf =
  (...judges: ((run: Run) => string | null)[]) =>
  (run: Run) =>
    some(judges.map((judge) => judge(run)))[0] ?? null;
