/** What of the list's address a view keeps: filters and columns; never a place in the list, a search or a row. */
export const VIEW_PARAMS = [
  "view",
  "approval",
  "lapsed",
  "partner",
  "source",
  "destination",
  "chain",
  "merchant",
  "callbacks",
  "amount_from",
  "amount_to",
  "from",
  "to",
  "executed_from",
  "executed_to",
  "failure",
  "processing",
  "failed",
  "mine",
  "columns",
] as const;
export type ViewParams = Partial<Record<(typeof VIEW_PARAMS)[number], string>>;

export type SavedViewWire = {
  id: string;
  name: string;
  shared: boolean;
  /** Whether the asker keeps it; else it is of somebody of the same organisation. */
  own: boolean;
  owner: string;
  params: ViewParams;
};
