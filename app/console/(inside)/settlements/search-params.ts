import { createLoader, type inferParserType, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { CALLBACK_STATES } from "#server/domain/callback.ts";
import { SETTLEMENT_VIEWS } from "#server/domain/settlement-view.ts";

/** Everything that makes up what the list shows is in its address: it survives reload, sharing and Back. */
export const LIST_PARAMS = {
  view: parseAsStringLiteral(SETTLEMENT_VIEWS),
  partner: parseAsString,
  source: parseAsString,
  destination: parseAsString,
  chain: parseAsString,
  merchant: parseAsString,
  callbacks: parseAsStringLiteral(CALLBACK_STATES),
  amount_from: parseAsString,
  amount_to: parseAsString,
  /** Days in UTC, both included; or instants, the first included and the second not, where a plot led here. */
  from: parseAsString,
  to: parseAsString,
  mine: parseAsStringLiteral(["decided"] as const),
  q: parseAsString,
  as: parseAsStringLiteral(["tx_id", "tx_hash", "wallet", "external_id", "merchant"] as const),
  cursor: parseAsString,
  direction: parseAsStringLiteral(["older", "newer"] as const),
  limit: parseAsInteger,
};
export type ListParams = inferParserType<typeof LIST_PARAMS>;

export const loadListParams = createLoader(LIST_PARAMS);

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/;
const DAY_MS = 86_400_000;

function startOf(text: string | null): Date | null {
  const isDay = text !== null && DAY.test(text);
  if (text === null || !(isDay || INSTANT.test(text))) return null;
  const at = new Date(isDay ? `${text}T00:00:00.000Z` : text);
  return Number.isNaN(at.getTime()) ? null : at;
}

function endOf(text: string | null): Date | null {
  const start = startOf(text);
  return start !== null && text !== null && DAY.test(text) ? new Date(start.getTime() + DAY_MS) : start;
}

/** The filter as the procedures take it. */
export function filterOf(params: ListParams) {
  const from = startOf(params.from);
  const to = endOf(params.to);
  return {
    ...(params.view && { view: params.view }),
    ...(params.partner && { partner_id: params.partner }),
    ...(params.source && { source_currency: params.source }),
    ...(params.destination && { destination_currency: params.destination }),
    ...(params.chain && { chain: params.chain }),
    ...(params.merchant && { merchant: params.merchant }),
    ...(params.callbacks && { callbacks: params.callbacks }),
    ...(params.source && params.amount_from && { amount_from: params.amount_from }),
    ...(params.source && params.amount_to && { amount_to: params.amount_to }),
    ...(from && { created_from: from.toISOString() }),
    ...(to && { created_to: to.toISOString() }),
    ...(params.mine && { decided_by_me: true }),
  };
}

/** The page as the procedure takes it. */
export function pageOf(params: ListParams) {
  const limit: 25 | 50 | 100 = params.limit === 50 || params.limit === 100 ? params.limit : 25;
  return {
    ...filterOf(params),
    limit,
    ...(params.cursor && { cursor: params.cursor }),
    direction: params.direction ?? ("older" as const),
  };
}

/** What goes when another filter is chosen: places and searches belong to the list before. */
export const FROM_THE_TOP = { cursor: null, direction: null, q: null, as: null } as const;
export const NO_FILTER = {
  ...FROM_THE_TOP,
  view: null,
  partner: null,
  source: null,
  destination: null,
  chain: null,
  merchant: null,
  callbacks: null,
  amount_from: null,
  amount_to: null,
  from: null,
  to: null,
  mine: null,
} as const;
