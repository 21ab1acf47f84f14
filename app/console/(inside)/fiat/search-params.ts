import { createLoader, type inferParserType, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { FiatStatus } from "#domain/fiat.ts";

/** Written here because their own module also signs, which no browser can. */
export const FIAT_STATUSES = ["pending", "processing", "completed", "failed"] as const satisfies readonly FiatStatus[];
export const TABS = ["pool", "withdrawals", "topups"] as const;

/** Everything that makes up what the page shows is in its address: it survives reload, sharing and Back. */
export const FIAT_PARAMS = {
  tab: parseAsStringLiteral(TABS),
  q: parseAsString,
  partner: parseAsString,
  status: parseAsStringLiteral(FIAT_STATUSES),
  currency: parseAsString,
  /** A member's id. */
  of: parseAsString,
  /** Days in UTC, both included. */
  from: parseAsString,
  to: parseAsString,
  cursor: parseAsString,
  direction: parseAsStringLiteral(["older", "newer"] as const),
  limit: parseAsInteger,
  /** A form that is open, and the member that it is about, by external id. */
  new: parseAsStringLiteral(["withdrawal", "topup"] as const),
  member: parseAsString,
};
export type FiatParams = inferParserType<typeof FIAT_PARAMS>;
export type SetParams = (next: Partial<FiatParams>) => void;

export const loadFiatParams = createLoader(FIAT_PARAMS);

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function startOf(day: string | null): Date | null {
  if (day === null || !DAY.test(day)) return null;
  const at = new Date(`${day}T00:00:00.000Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** The page of orders as the procedures take it. */
export function pageOf(params: FiatParams) {
  const limit: 25 | 50 | 100 = params.limit === 50 || params.limit === 100 ? params.limit : 25;
  const [from, to] = [startOf(params.from), startOf(params.to)];
  return {
    ...(params.q && { search: params.q }),
    ...(params.partner && UUID.test(params.partner) && { partner_id: params.partner }),
    ...(params.status && { status: params.status }),
    ...(params.currency && { currency: params.currency }),
    ...(params.of && UUID.test(params.of) && { member_id: params.of }),
    ...(from && { created_from: from.toISOString() }),
    ...(to && { created_to: new Date(to.getTime() + DAY_MS).toISOString() }),
    limit,
    ...(params.cursor && { cursor: params.cursor }),
    direction: params.direction ?? ("older" as const),
  };
}

/** What goes when another filter is chosen: places belong to the list before. */
export const FROM_THE_TOP = { cursor: null, direction: null } as const;
export const NO_FILTER = { ...FROM_THE_TOP, q: null, partner: null, status: null, currency: null, of: null, from: null, to: null } as const;
