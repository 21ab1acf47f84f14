import { createLoader, type inferParserType, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";

/** What the log shows is in its address: it survives reload, sharing and Back. */
export const AUDIT_PARAMS = {
  actor: parseAsString,
  action: parseAsString,
  object: parseAsString,
  partner: parseAsString,
  /** Days in UTC, both included. */
  from: parseAsString,
  to: parseAsString,
  cursor: parseAsString,
  direction: parseAsStringLiteral(["older", "newer"] as const),
  limit: parseAsInteger,
};
export type AuditParams = inferParserType<typeof AUDIT_PARAMS>;

export const loadAuditParams = createLoader(AUDIT_PARAMS);

const DAY_MS = 86_400_000;
const KINDS = ["people", "keys", "system"] as const;
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function dayOf(text: string | null): Date | null {
  const at = text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00.000Z`) : null;
  return at === null || Number.isNaN(at.getTime()) ? null : at;
}

/** The filter as the procedures take it; what cannot be a filter is left out. */
export function auditFilterOf({ actor, action, object, partner, from, to }: AuditParams) {
  const kind = KINDS.find((each) => each === actor);
  const [start, end] = [dayOf(from), dayOf(to)];
  return {
    ...(kind ? { actor: kind } : actor !== null && UUID.test(actor) && { actor }),
    ...(action !== null && /^[a-z_]+\.[a-z_]+$/.test(action) && { action }),
    ...(object && { object: object.slice(0, 128) }),
    ...(partner !== null && UUID.test(partner) && { partner_id: partner }),
    ...(start && { from: start.toISOString() }),
    ...(end && { to: new Date(end.getTime() + DAY_MS).toISOString() }),
  };
}

export function auditPageOf(params: AuditParams) {
  const limit: 25 | 50 | 100 = params.limit === 25 || params.limit === 100 ? params.limit : 50;
  return {
    ...auditFilterOf(params),
    limit,
    ...(params.cursor && { cursor: params.cursor }),
    direction: params.direction ?? ("older" as const),
  };
}

export const FROM_THE_TOP = { cursor: null, direction: null } as const;
export const NO_FILTER = { ...FROM_THE_TOP, actor: null, action: null, object: null, partner: null, from: null, to: null } as const;
