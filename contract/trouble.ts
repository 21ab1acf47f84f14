/** The part of the service with a trouble. A partner's users only learn of `payments`, `rates`, `database` and a `note` for them. */
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
  "note",
] as const;
export type TroublePart = (typeof TROUBLE_PARTS)[number];

/**
 * `name`: stable between polls; `detail`: a description for operators, for a partner's users the pairs that they cannot quote, or the text of
 * a note. `since`: real time. `runbook`: the page for its cause; null: there is none, or the reader may not see it.
 */
export type Trouble = { part: TroublePart; name: string; detail: string; since: string; runbook: string | null };

/** Outside of tRPC, which depends on the database that may be unavailable. */
export const TROUBLES_PATH = "/api/console/troubles";

const FOR_PARTNERS: Record<TroublePart, TroublePart | null> = {
  // Reads go elsewhere: nothing is delayed by it.
  replica: null,
  // Each has its own text, so each shows.
  note: null,
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
 * What everybody may know: that something is delayed and since when, once each, without internal details.
 *
 * @param pairs those that the reader may quote and nobody can right now
 */
export function withoutInternals(troubles: readonly Trouble[], pairs: readonly string[]): Trouble[] {
  const byPart = new Map<TroublePart, Trouble>();
  for (const { part, since } of troubles) {
    const shown = FOR_PARTNERS[part];
    if (shown === null || (shown === "rates" && pairs.length === 0)) continue;
    const before = byPart.get(shown);
    const detail = shown === "rates" ? pairs.join(", ") : "";
    if (before === undefined || since < before.since) byPart.set(shown, { part: shown, name: shown, detail, since, runbook: null });
  }
  return [...byPart.values()];
}

/** Parses such an answer; null: it is invalid. */
export function parseTroubles(answer: unknown): Trouble[] | null {
  if (typeof answer !== "object" || answer === null || !("troubles" in answer) || !Array.isArray(answer.troubles)) return null;
  return answer.troubles.flatMap((each: unknown) => parseTrouble(each) ?? []);
}

/** Drops what another release reports and this one does not know. */
function parseTrouble(value: unknown): Trouble | null {
  if (typeof value !== "object" || value === null) return null;
  const { part, name, detail, since, runbook }: Partial<Record<keyof Trouble, unknown>> = value;
  const known = TROUBLE_PARTS.find((each) => each === part);
  if (known === undefined || typeof name !== "string" || typeof detail !== "string" || typeof since !== "string") return null;
  return { part: known, name, detail, since, runbook: typeof runbook === "string" ? runbook : null };
}
