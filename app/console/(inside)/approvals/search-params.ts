import { oneOf, text } from "../../_components/lists/address-params.ts";

export const QUEUE_TABS = ["waiting", "second", "batches", "decided", "lapsed"] as const;
export const QUEUE_SORTS = ["waiting", "amount", "risk"] as const;
export type QueueSort = (typeof QUEUE_SORTS)[number];

/** The selection is in the URL, so it survives reload, sharing and Back. */
export const QUEUE_PARAMS = {
  tab: oneOf(QUEUE_TABS, "waiting"),
  sort: oneOf(QUEUE_SORTS, "waiting"),
  tx: text,
};
