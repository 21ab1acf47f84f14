/** Texts of these parts. */

export const PAGINATION = {
  pagesList: "Pages of the list",
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
  exportWord: "Export",
};

export const USE_SELECTION = {
  selectEveryRow: "Select every row of this page",
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
  nothingRecordedYet: "Nothing has been recorded yet",
  auditLog: (what: string) => `Audit log of ${what}`,
  pagesLog: "Pages of the log",
  newest: "Newest",
  older: "Older",
};

export const WALKED_LIST = {
  noMatch: (one: string, held: string) => `No ${one} matches: ${held}.`,
  newWord: (given: number | string, given2: string) => `${given} new ${given2}`,
  newestFirst: (name: string) => `${name}, newest first`,
};

export const AUDIT_ENTRIES = {
  time: "Time",
  who: "Who",
  what: "What",
  reason: "Reason",
  details: (id: string) => `Details of ${id}`,
  detailsNoun: "Details",
  whatRecorded: "What was recorded",
  id: "id",
  action: "Action",
  object: "Object",
  objectId: "object id",
  partner: "Partner",
  request: "Request",
  requestId: "request id",
  entry: "Entry",
  entryId: "entry id",
  seal: "Seal",
  waitsItsSeal: "Waiting for its seal",
  whatChanged: "What changed",
  field: "Field",
  before: "Before",
  after: "After",
};

export const USE_ROW_KEYS = {
  nextRow: "Next row",
  rowBefore: "Previous row",
  selectMarkedRow: "Select the highlighted row",
};

export const FILTER_FIELD = {
  amountSuchAs: "Enter an amount such as 1,000.00",
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
  serviceDidNot: "The service did not answer",
  connectionLostOr: "The connection was lost or the service is restarting.",
  retry: "Retry",
  earlierAnswerReading: "The earlier answer; reading …",
  copyRequestId: "Copy request id",
  request: "Request {id}",
  serviceDidNotAnswerReason: "the service did not answer",
  showingDataFrom: "Showing data from {time}: {why}.",
};

export const WALKED_ROWS = {
  openMarkedRow: "Open the highlighted row",
};

export const FILTERS = {
  partner: "Partner",
  onePartner: "one partner",
  contains: (text: string) => `contains ${text}`,
  since: (day: string) => `since ${day}`,
  until: (day: string) => `until ${day}`,
};
