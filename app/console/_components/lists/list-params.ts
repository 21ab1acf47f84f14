import { isUuid } from "#domain/uuid.ts";
import { type AddressParams, oneOf, type SearchParams, text, type ValuesOf, valuesIn, wholeNumber } from "./address-params.ts";

const WALK = { cursor: text, direction: oneOf(["older", "newer"]), limit: wholeNumber };
/** The position in a list, from its URL. */
export type WalkParams = ValuesOf<typeof WALK>;

type PageSize = 25 | 50 | 100;
type None = Record<never, never>;
type More<Passing, Apart> = {
  /** Parameters that concern only the visible rows, such as the one in the panel. They are dropped when the rows change. */
  passing?: Passing;
  /** Parameters that no filter changes: the tab, the columns, an open form. */
  apart?: Apart;
  /** The default page size. */
  size?: PageSize;
};

/**
 * A list whose state is completely in its URL, so that it survives reload, sharing and Back: its filter, and the position. The page reads
 * it on the server (`load`), the screen in the browser (`useAddressParams`), and it creates the input of procedures for both.
 */
export function listParams<Filter extends AddressParams, Passing extends AddressParams = None, Apart extends AddressParams = None>(
  filter: Filter,
  { passing, apart, size = 25 }: More<Passing, Apart> = {},
) {
  const params = { ...filter, ...passing, ...apart, ...WALK } as Filter & Passing & Apart & typeof WALK;
  type Params = ValuesOf<typeof params>;
  const toTop = { cursor: null, direction: null, ...nulls(passing ?? {}) };
  return {
    params,
    load: (query: URLSearchParams | SearchParams) => valuesIn(params, query),
    /** Parameters that a filter change resets: positions and the side panel belong to the list before. */
    fromTheTop: toTop as Partial<Params>,
    /** An empty filter. */
    noFilter: { ...nulls(filter), ...toTop } as Partial<Params>,
    /** Position and page size, as every paged procedure takes them. */
    walkOf: ({ cursor, direction, limit }: WalkParams) => ({
      limit: [25 as const, 50 as const, 100 as const].find((each) => each === limit) ?? size,
      ...(cursor && { cursor: cursor.slice(0, 256) }),
      direction: direction ?? ("older" as const),
    }),
  };
}

/** What a URL says about a list. */
export type ParamsOf<List extends { params: AddressParams }> = ValuesOf<List["params"]>;

function nulls(params: AddressParams): Record<string, null> {
  return Object.fromEntries(Object.keys(params).map((name) => [name, null]));
}

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], null | undefined | false | ""> };

/** The fields of a query that are not empty. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== false && value !== ""),
  ) as Given<Fields>;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;
const DAY_MS = 86_400_000;

/** An id from the URL; null for a malformed one. */
export function uuidOf(text: string | null): string | null {
  return text !== null && isUuid(text) ? text : null;
}

/** An instant from the URL; null if it is invalid. */
export function instantOf(text: string | null): string | null {
  if (text === null || !INSTANT.test(text)) return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** A day of the URL as midnight UTC; an exact instant, as from a plot, unchanged. Null if it is neither. */
export function beginOf(day: string | null): string | null {
  return day !== null && DAY.test(day) ? instantOf(`${day}T00:00:00.000Z`) : instantOf(day);
}

/** The end of that day at midnight: days are inclusive. */
export function endOf(day: string | null): string | null {
  const begin = beginOf(day);
  return begin === null || day === null || !DAY.test(day) ? begin : new Date(new Date(begin).getTime() + DAY_MS).toISOString();
}
