/**
 * - `velocity`: what is confirmed within an hour or a day, counted by partner, pair, destination, or all together.
 * - `wallet`: what leaves one treasury wallet within an hour or a day.
 * - `credit_line`: what a partner owes for what was paid out, and what is on its way.
 * - `new_destination`, `new_key`: how long a destination or an API key is known before it counts.
 * - `allow_list`: the only destinations that are paid.
 */
export const LIMIT_KINDS = ["velocity", "wallet", "credit_line", "new_destination", "new_key", "allow_list"] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

/** `dry_run`: it only records. */
export const LIMIT_MODES = ["enforce", "dry_run", "off"] as const;
export type LimitMode = (typeof LIMIT_MODES)[number];

/** `pair`: a partner's pair. */
export const LIMIT_COUNTED_BY = ["partner", "pair", "destination", "all"] as const;
export type LimitCountedBy = (typeof LIMIT_COUNTED_BY)[number];
