/** Texts of these parts. */

export const PAGINATION = {
  label: "Pages of the list",
  newer: "Newer",
};

export const SEARCH_FIELD = {
  searchBy: (many: string, by: string) => `Search ${many} by ${by}`,
  clearSearch: "Clear the search",
};

export const USE_SELECTION = {
  selectAll: "Select every row of this page",
  select: (row: string) => `Select ${row}`,
};

export const FILTER_DRAWER = {
  filter: "Filter",
  filterCount: (count: number) => `Filter (${count})`,
  filterMany: (many: string) => `Filter ${many}`,
  clearAll: "Clear all",
  show: (many: string) => `Show ${many}`,
  filters: "Filters",
  removeFilter: (text: string) => `Remove the filter ${text}`,
  clear: "Clear",
};

export const AUDIT_OF = {
  none: "Nothing has been recorded yet",
  caption: (what: string) => `Audit log of ${what}`,
  pagination: "Pages of the log",
  newest: "Newest",
};

export const WALKED_LIST = {
  noMatch: (one: string, held: string) => `No ${one} matches: ${held}.`,
  newRows: (count: number | string, what: string) => `${count} new ${what}`,
  caption: (name: string) => `${name}, newest first`,
};

export const AUDIT_ENTRIES = {
  number: "No.",
  detailsOf: (id: string) => `Details of ${id}`,
  details: "Details",
  recorded: "What was recorded",
  objectId: "object id",
  entry: "Entry",
  seal: "Seal",
  awaitingSeal: "Waiting for its seal",
  changes: "What changed",
  field: "Field",
};

export const USE_ROW_KEYS = {
  selectRow: "Select the highlighted row",
};

export const FILTER_FIELD = {
  amountWanted: "Enter an amount such as 1,000.00",
  any: "Any",
};

export const TABLE = {
  partner: "Partner",
  actions: "Actions",
};

export const LIST_STATES = {
  loading: "Loading",
  noMatch: "No match",
  clearFilters: "Clear filters",
  noAnswer: "The service did not answer",
  noAnswerMore: "The connection was lost or the service is restarting.",
  refreshing: "The earlier answer; reading …",
  noAnswerReason: "the service did not answer",
  showingOld: "Showing data from {time}: {why}.",
};

export const FILTERS = {
  partner: "Partner",
  onePartner: "one partner",
  contains: (text: string) => `contains ${text}`,
  since: (day: string) => `since ${day}`,
  until: (day: string) => `until ${day}`,
};
