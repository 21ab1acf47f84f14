/** Which part of the service is amiss. `payments`, `rates` and `database` are what a partner's people are told of. */
const TROUBLE_PARTS = [
  "database",
  "database_slow",
  "worker",
  "work",
  "payments",
  "chain",
  "rates",
  "halt",
  "screening",
  "replica",
] as const;
export type TroublePart = (typeof TROUBLE_PARTS)[number];

/**
 * `name`: the same from look to look; `detail`: what it is, for operators, and for a partner's people the pairs that they cannot quote. `since`: real time.
 * `runbook`: the page for its cause; null: there is none, or it is not for anyone who reads.
 */
export type Trouble = { part: TroublePart; name: string; detail: string; since: string; runbook: string | null };

/** Where the console asks for it: beside the procedures, which stand on the database that may be away. */
export const TROUBLES_PATH = "/api/console/troubles";

const FOR_PARTNERS: Record<TroublePart, TroublePart | null> = {
  // Reads go elsewhere: nothing is delayed by it.
  replica: null,
  database: "database",
  database_slow: "database",
  rates: "rates",
  worker: "payments",
  work: "payments",
  payments: "payments",
  chain: "payments",
  halt: "payments",
  screening: "payments",
};

/**
 * What everybody may know: that something is delayed and since when, once each, and nothing of what is inside.
 *
 * @param pairs those that anyone who reads may quote and nobody can just now
 */
export function withoutInternals(troubles: readonly Trouble[], pairs: readonly string[]): Trouble[] {
  const told = new Map<TroublePart, Trouble>();
  for (const { part, since } of troubles) {
    const shown = FOR_PARTNERS[part];
    if (shown === null || (shown === "rates" && pairs.length === 0)) continue;
    const before = told.get(shown);
    const detail = shown === "rates" ? pairs.join(", ") : "";
    if (before === undefined || since < before.since) told.set(shown, { part: shown, name: shown, detail, since, runbook: null });
  }
  return [...told.values()];
}

/** What such an answer says; null: it is none. */
export function parseTroubles(answer: unknown): Trouble[] | null {
  if (typeof answer !== "object" || answer === null || !("troubles" in answer) || !Array.isArray(answer.troubles)) return null;
  return answer.troubles.flatMap((each: unknown) => parseTrouble(each) ?? []);
}

/** Left out: what another release tells and this one does not know. */
function parseTrouble(value: unknown): Trouble | null {
  if (typeof value !== "object" || value === null) return null;
  const { part, name, detail, since, runbook }: Partial<Record<keyof Trouble, unknown>> = value;
  const known = TROUBLE_PARTS.find((each) => each === part);
  if (known === undefined || typeof name !== "string" || typeof detail !== "string" || typeof since !== "string") return null;
  return { part: known, name, detail, since, runbook: typeof runbook === "string" ? runbook : null };
}
