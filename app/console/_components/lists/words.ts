/** Texts of these parts. */

export const PAGINATION = {
  label: "Pages of the list",
  rows: "Rows",
  newer: "Newer",
  older: "Older",
};

export const SEARCH_FIELD = {
  searchBy: (many: string, by: string) => `Search ${many} by ${by}`,
  clearSearch: "Clear the search",
};

export const EXPORT_LINK = {
  exportList: "Export this list",
  export: "Export",
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
  older: "Older",
};

export const WALKED_LIST = {
  noMatch: (one: string, held: string) => `No ${one} matches: ${held}.`,
  newRows: (count: number | string, what: string) => `${count} new ${what}`,
  caption: (name: string) => `${name}, newest first`,
};

export const AUDIT_ENTRIES = {
  detailsOf: (id: string) => `Details of ${id}`,
  details: "Details",
  recorded: "What was recorded",
  action: "Action",
  object: "Object",
  objectId: "object id",
  requestId: "request id",
  entry: "Entry",
  entryId: "entry id",
  seal: "Seal",
  awaitingSeal: "Waiting for its seal",
  changes: "What changed",
  field: "Field",
  before: "Before",
  after: "After",
};

export const USE_ROW_KEYS = {
  nextRow: "Next row",
  previousRow: "Previous row",
  selectRow: "Select the highlighted row",
};

export const FILTER_FIELD = {
  amountWanted: "Enter an amount such as 1,000.00",
  any: "Any",
};

export const TABLE = {
  actions: "Actions",
  partner: "Partner",
};

export const LIST_STATES = {
  loading: "Loading",
  noMatch: "No match",
  clearFilters: "Clear filters",
  noAnswer: "The service did not answer",
  noAnswerMore: "The connection was lost or the service is restarting.",
  retry: "Retry",
  refreshing: "The earlier answer; reading …",
  copyRequestId: "Copy request id",
  request: "Request {id}",
  noAnswerReason: "the service did not answer",
  showingOld: "Showing data from {time}: {why}.",
};

export const WALKED_ROWS = {
  openRow: "Open the highlighted row",
};

export const FILTERS = {
  partner: "Partner",
  onePartner: "one partner",
  contains: (text: string) => `contains ${text}`,
  since: (day: string) => `since ${day}`,
  until: (day: string) => `until ${day}`,
};
