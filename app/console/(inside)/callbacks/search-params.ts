import { createLoader, type inferParserType, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { CALLBACK_STATES } from "#domain/callback.ts";

export const TABS = ["undelivered", "retrying", "all", "endpoints"] as const;

/** Everything that makes up what is shown is in the address: it survives reload, sharing and Back. */
export const CALLBACK_PARAMS = {
  tab: parseAsStringLiteral(TABS).withDefault("undelivered"),
  partner: parseAsString,
  state: parseAsStringLiteral(CALLBACK_STATES),
  event: parseAsString,
  origin: parseAsString,
  cause: parseAsString,
  subject: parseAsString,
  /** Days in UTC, both included. */
  from: parseAsString,
  to: parseAsString,
  cursor: parseAsString,
  direction: parseAsStringLiteral(["older", "newer"] as const),
  limit: parseAsInteger,
};
export type CallbackParams = inferParserType<typeof CALLBACK_PARAMS>;
export type SetParams = (next: { [Name in keyof CallbackParams]?: CallbackParams[Name] | null }) => void;

export const loadCallbackParams = createLoader(CALLBACK_PARAMS);

export const FROM_THE_TOP = { cursor: null, direction: null } as const;
export const NO_FILTER = {
  ...FROM_THE_TOP,
  partner: null,
  state: null,
  event: null,
  origin: null,
  cause: null,
  subject: null,
  from: null,
  to: null,
} as const;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

function startOf(day: string | null): Date | null {
  if (day === null || !DAY.test(day)) return null;
  const at = new Date(`${day}T00:00:00.000Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** Whose: the operator's people may look at one partner alone. */
export function scopeOf({ partner }: CallbackParams): { partner_id?: string } {
  return partner === null ? {} : { partner_id: partner };
}

/** The page as the procedure takes it. The tab says which state, and only what is not taken has a cause. */
export function pageOf(params: CallbackParams) {
  const { tab, state, event, origin, cause, subject, cursor, limit } = params;
  const from = startOf(params.from);
  const to = startOf(params.to);
  const wanted = tab === "undelivered" ? "undelivered" : tab === "retrying" ? "pending" : state;
  const rows: 25 | 50 | 100 = limit === 50 || limit === 100 ? limit : 25;
  return {
    ...scopeOf(params),
    ...(wanted && { state: wanted }),
    ...(event && { event }),
    ...(origin && { origin }),
    ...(cause && (tab === "undelivered" || tab === "retrying") && { cause }),
    ...(subject && { subject_id: subject }),
    ...(from && { created_from: from.toISOString() }),
    ...(to && { created_to: new Date(to.getTime() + DAY_MS).toISOString() }),
    limit: rows,
    ...(cursor && { cursor }),
    direction: params.direction ?? ("older" as const),
  };
}
