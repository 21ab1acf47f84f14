import { createLoader, type inferParserType, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { CALLBACK_STATES } from "#domain/callback.ts";
import { APPROVAL_CHOICES, SETTLEMENT_VIEWS, VIEW_PARAMS, type ViewParams } from "#domain/settlement-view.ts";

/** Everything that makes up what the list shows is in its address: it survives reload, sharing and Back. */
export const LIST_PARAMS = {
  view: parseAsStringLiteral(SETTLEMENT_VIEWS),
  approval: parseAsStringLiteral(APPROVAL_CHOICES),
  lapsed: parseAsStringLiteral(["yes"] as const),
  partner: parseAsString,
  source: parseAsString,
  destination: parseAsString,
  chain: parseAsString,
  merchant: parseAsString,
  callbacks: parseAsStringLiteral(CALLBACK_STATES),
  amount_from: parseAsString,
  amount_to: parseAsString,
  /** Days in UTC, both included. */
  from: parseAsString,
  to: parseAsString,
  executed_from: parseAsString,
  executed_to: parseAsString,
  failure: parseAsString,
  /** For at least so many minutes. */
  processing: parseAsInteger,
  failed: parseAsStringLiteral(["today"] as const),
  mine: parseAsStringLiteral(["decided"] as const),
  /** The columns shown beside those that always are, by id; absent: as this browser last had them. */
  columns: parseAsString,
  /** The saved view that was chosen; what was changed since is told beside its name. */
  saved: parseAsString,
  q: parseAsString,
  as: parseAsStringLiteral(["tx_id", "tx_hash", "wallet", "external_id", "merchant"] as const),
  cursor: parseAsString,
  direction: parseAsStringLiteral(["older", "newer"] as const),
  limit: parseAsInteger,
  /** The settlement that is looked at beside the list. */
  peek: parseAsString,
};
export type ListParams = inferParserType<typeof LIST_PARAMS>;
export type SetParams = (next: Partial<ListParams>, options?: { history: "push" | "replace" }) => void;

export const loadListParams = createLoader(LIST_PARAMS);

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Where a plot led here: the very instant, the first included and the second not. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/;
const DAY_MS = 86_400_000;

/** Midnight UTC of the day; of the one after with `days` 1. An instant as it is. Null for what is neither. */
function midnight(day: string | null, days = 0): string | null {
  if (day !== null && INSTANT.test(day)) return Number.isNaN(new Date(day).getTime()) ? null : new Date(day).toISOString();
  if (day === null || !DAY.test(day)) return null;
  const at = new Date(`${day}T00:00:00.000Z`).getTime();
  return Number.isNaN(at) ? null : new Date(at + days * DAY_MS).toISOString();
}

/** The filter as the procedures take it. */
export function filterOf(params: ListParams) {
  const from = midnight(params.from);
  const to = midnight(params.to, 1);
  const executedFrom = midnight(params.executed_from);
  const executedTo = midnight(params.executed_to, 1);
  const minutes = params.processing;
  return {
    ...(params.view && { view: params.view }),
    ...(params.approval && { approval: params.approval }),
    ...(params.lapsed && { lapsed: true }),
    ...(params.partner && { partner_id: params.partner }),
    ...(params.source && { source_currency: params.source }),
    ...(params.destination && { destination_currency: params.destination }),
    ...(params.chain && { chain: params.chain }),
    ...(params.merchant && { merchant: params.merchant }),
    ...(params.callbacks && { callbacks: params.callbacks }),
    ...(params.source && params.amount_from && { amount_from: params.amount_from }),
    ...(params.source && params.amount_to && { amount_to: params.amount_to }),
    ...(from && { created_from: from }),
    ...(to && { created_to: to }),
    ...(executedFrom && { executed_from: executedFrom }),
    ...(executedTo && { executed_to: executedTo }),
    ...(params.failure && { failure: params.failure }),
    ...(minutes !== null && minutes >= 1 && minutes <= 100_000 && { processing_minutes: minutes }),
    ...(params.failed && { failed_today: true }),
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

/** What goes when another filter is chosen: places, searches and looks aside belong to the list before. */
export const FROM_THE_TOP = { cursor: null, direction: null, q: null, as: null, peek: null } as const;

const NOTHING: Partial<ListParams> = Object.fromEntries(VIEW_PARAMS.map((name) => [name, null]));
/** No filter at all; the columns stay. */
export const NO_FILTER: Partial<ListParams> = Object.fromEntries(
  Object.entries({ ...NOTHING, ...FROM_THE_TOP, saved: null }).filter(([name]) => name !== "columns"),
);

/** What of the list a saved view would keep, as it stands in the address. */
export function viewParamsOf(params: ListParams): ViewParams {
  return Object.fromEntries(VIEW_PARAMS.flatMap((name) => (params[name] === null ? [] : [[name, String(params[name])]])));
}

/** The list as a view shows it. What the view says in words that mean nothing (any more) is left out. */
export function paramsOfView(kept: ViewParams): Partial<ListParams> {
  const said = VIEW_PARAMS.map((name) => [name, kept[name] === undefined ? null : LIST_PARAMS[name].parse(kept[name])]);
  return { ...FROM_THE_TOP, ...Object.fromEntries(said) };
}

export function isSameView(left: ViewParams, right: ViewParams): boolean {
  return VIEW_PARAMS.every((name) => left[name] === right[name]);
}
