/**
 * Data that is kept for a configured time and then goes to the archive, whose months are dropped whole. Everything else is kept for ever:
 * money, decisions and the audit log.
 */
export const RETAINED = ["api_log", "callback_attempts", "provider_events", "lapsed_quotes"] as const;
export type Retained = (typeof RETAINED)[number];

/** How many days each is kept, and how many days after its end a month stays in the archive. */
export type Retention = Record<Retained | "archive", number>;

export const DEFAULT_RETENTION: Retention = {
  api_log: 30,
  callback_attempts: 90,
  provider_events: 400,
  lapsed_quotes: 90,
  archive: 400,
};

/** The least that may be said: the daily reconciliation looks back for nine days, the API log at bodies for seven. */
export const LEAST_RETENTION: Retention = { api_log: 7, callback_attempts: 14, provider_events: 30, lapsed_quotes: 14, archive: 30 };
const MOST_DAYS = 36_500;

/**
 * Days as `api_log:30,archive:365`; defaults for omitted kinds. Null: it cannot be parsed, has unknown or duplicate kinds, or is below a
 * minimum.
 */
export function readRetention(text: string): Retention | null {
  const retention = { ...DEFAULT_RETENTION };
  const seen = new Set<string>();
  for (const part of text.split(",").map((each) => each.trim())) {
    const [, name, days] = /^([a-z_]+):(\d{1,5})$/.exec(part) ?? [];
    const kind = Object.keys(DEFAULT_RETENTION).find((known): known is keyof Retention => known === name);
    if (kind === undefined || seen.has(kind)) return null;
    seen.add(kind);
    retention[kind] = Number(days);
    if (retention[kind] < LEAST_RETENTION[kind] || retention[kind] > MOST_DAYS) return null;
  }
  return retention;
}
