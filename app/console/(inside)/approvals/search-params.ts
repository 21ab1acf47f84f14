import { parseAsString, parseAsStringLiteral } from "nuqs";

export const QUEUE_TABS = ["waiting", "second", "batches", "decided", "lapsed"] as const;
export const QUEUE_SORTS = ["waiting", "amount", "risk"] as const;
export type QueueSort = (typeof QUEUE_SORTS)[number];

/** The selection is in the URL, so it survives reload, sharing and Back. */
export const QUEUE_PARAMS = {
  tab: parseAsStringLiteral(QUEUE_TABS).withDefault("waiting"),
  sort: parseAsStringLiteral(QUEUE_SORTS).withDefault("waiting"),
  tx: parseAsString,
};
