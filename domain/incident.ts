/** What a timeline of an incident has. */
export const INCIDENT_ENTRY_KINDS = ["opened", "taken", "step_done", "step_undone", "noted", "published", "ended"] as const;
export type IncidentEntryKind = (typeof INCIDENT_ENTRY_KINDS)[number];

export type IncidentEntry = { kind: IncidentEntryKind; step: number | null; text: string | null; byId: string; byName: string; at: Date };

/** Who is on it: the person who took it last, else the one who opened it. */
export function ownerOf(entries: readonly IncidentEntry[]): { id: string; name: string; since: Date } | null {
  const last = entries.findLast(({ kind }) => kind === "taken" || kind === "opened");
  return last === undefined ? null : { id: last.byId, name: last.byName, since: last.at };
}

/** The steps that are done, with who did them last. */
export function doneSteps(entries: readonly IncidentEntry[]): Map<number, { by: string; at: Date }> {
  const done = new Map<number, { by: string; at: Date }>();
  for (const { kind, step, byName, at } of entries) {
    if (step === null) continue;
    if (kind === "step_done") done.set(step, { by: byName, at });
    else done.delete(step);
  }
  return done;
}

const ITEM = /^(?:\d{1,2}\.|-)\s+(\S.*)$/;
/** A paragraph that begins with what to do: `**Look.**`, `**Do.**`. Those that explain begin with "What". */
const LEAD = /^\*\*(?!What)[^*]+\.\*\*/;

/** The steps of a runbook, as plain text: its items of the first level, and its paragraphs that say what to do. */
export function stepsOf(markdown: string): string[] {
  const steps: string[] = [];
  let isOpen = false;
  for (const line of markdown.split("\n")) {
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined || LEAD.test(line)) steps.push(item ?? line);
    else if (isOpen && /^\S/.test(line)) steps.push(`${steps.pop()} ${line}`);
    isOpen = LEAD.test(line) || (isOpen && item === undefined && /^\S/.test(line));
  }
  return steps.map((text) => text.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replace(/[`*]/g, ""));
}
