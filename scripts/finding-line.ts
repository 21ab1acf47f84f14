import type { Finding } from "#domain/examination.ts";

const MARKS = { ok: "✓", warning: "!", trouble: "✗" } as const;

/** A finding for people, with what to do below it. */
export function lineOf({ subject, level, detail, remedy }: Finding): string {
  return `${MARKS[level]} ${subject}: ${detail}\n${remedy === null ? "" : `    ${remedy}\n`}`;
}
