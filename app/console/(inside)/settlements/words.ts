/** Texts of these parts. */

export const PAGE = { title: "Settlements" };

export const FOUND = {
  kinds: {
    tx_id: "settlement id",
    tx_hash: "transaction hash",
    wallet: "wallet",
    external_id: "external id",
    merchant: "merchant",
  },
  searching: "Searching",
  noSettlement: "No settlement has {text}.",
  searchedAs: (match: string) => `Searched as {strong}${match === "prefix" ? ", by its beginning" : ""}. Try as`,
};

export const TILES_WORDS = {
  processing: "Processing",
  failedToday: "Failed today",
  lists: "Lists",
};

export const PEEK = {
  label: "Settlement next to the list",
  close: "Close the side panel",
  openPage: "Open the whole page",
  notFound: "There is no such settlement.",
  forAmount: "for {amount}",
  quoteExpires: "Quote expires",
  failure: "Failure",
  rejectionReason: "Rejected because",
};

export const COLUMNS = {
  source: "Source",
  expiresOrExecuted: "Expires or executed",
};

export const VIEWS = {
  forEveryone: "For everyone",
  yours: "Yours",
  sharedByColleagues: "Shared by colleagues",
  views: "Views",
  shared: "shared",
  saveAs: "Save this list as a view…",
  view: "View",
  viewModified: "View modified",
  reset: "Reset",
  renameOrShare: "Rename or share",
  copyLink: "Copy a link to this list",
};

export const SHIPPED_VIEWS = {
  needsApproval: "Needs approval",
  processing10Min: "Processing > 10 min",
  failedToday: "Failed today",
  lapsedAfterApproval: "Lapsed after approval",
  undelivered: "Undelivered",
};

export const USE_SETTLEMENT_FILTERS = {
  callbackStates: { pending: "Retrying", delivered: "Delivered", undelivered: "Undelivered" } as Readonly<Record<string, string>>,
  approvalStates: {
    none: "Not needed",
    pending: "Pending",
    approved: "Approved",
    rejected: "Rejected",
  },
  chooseSourceCurrency: "Choose a source currency first",
  from: (text: string) => `from ${text}`,
  destinationCurrency: "Destination currency",
  to: (text: string) => `to ${text}`,
  sourceAmountFrom: "Source amount from",
  atLeast: (amount: string, source: null | string) => `at least ${amount} ${source ?? ""}`,
  amountTo: "to",
  atMost: (amount: string, source: null | string) => `at most ${amount} ${source ?? ""}`,
  fullReference: "The full reference",
  merchantFilter: (text: string) => `merchant ${text}`,
  batchFilter: (id: string) => `batch ${id}`,
  executedFromUtc: "Executed from (UTC)",
  executedTo: "Until (inclusive)",
  executedSince: (day: string) => `executed since ${day}`,
  executedUntil: (day: string) => `executed until ${day}`,
  settlements: "settlements",
  approval: "Approval",
  approvalFilter: (given: string) => `approval ${given}`,
  lapsedQuote: "With a lapsed quote, including those awaiting approval",
  lapsedQuoteFilter: "with a lapsed quote",
  failedTodayUtc: "Failed today (UTC)",
  failedTodayFilter: "failed today (UTC)",
  decidedByMeFilter: "decided by me",
  processingMinutes: "Minutes in processing",
  processingMinutesFilter: (minutes: string) => `processing for ${minutes} ${minutes === "1" ? "minute" : "minutes"} or more`,
  callback: (given: string) => `callback ${given}`,
  failureReason: "Failure reason",
  failureReasonHint: "Part of the reason",
  failedWith: (text: string) => `failed with “${text}”`,
};

export const SETTLEMENT_LIST = {
  searchedBy: "id, hash, wallet or reference",
  noMatch: (held: string) => `No settlement matches: ${held}.`,
  noneMoreOperator: "They appear here as soon as a partner requests a quote.",
  noneMorePartner: "Create the first quote with your API key.",
  total: (count: string, more: boolean) => `${count}${more ? "+" : ""} in all`,
};

export const ROW_MENU = {
  copy: (what: string) => `Copy ${what}`,
  only: (what: string) => `Only ${what}`,
  open: "Open",
  preview: "Preview next to the list",
  select: "Select",
  settlementId: "settlement id",
  externalId: "external id",
  sourceAmount: "source amount",
  netAmount: "net amount",
  merchant: "this merchant",
  partner: "this partner",
  pair: "this pair",
  day: "this day",
};

export const ROWS = {
  previewRow: "Preview the highlighted row next to the list",
  rowActions: "Actions for the highlighted row",
  closeOrClear: "Close the side panel, clear the selection",
  caption: "Settlements, newest first",
  actions: (row: string) => `Actions for ${row}`,
};

export const SELECTION_BAR = {
  settlementIds: (count: number) => `${count} settlement ids`,
  selected: (count: number) => `${count} selected`,
  copyIds: "Copy ids",
  exportSelected: "Export selected",
  clearSelection: "Clear selection",
};

export const VIEW_DIALOG = {
  viewDeleted: "View deleted",
  viewSaved: "View saved",
  saveAs: "Save this list as a view",
  saveView: "Save view",
  deleteTitle: (name: undefined | string) => `Delete “${name}”?`,
  deleteMeans: (shared: undefined | boolean) =>
    `${shared ? "Your colleagues lose it too." : "Only you can see it."} The settlements are not deleted.`,
  share: "Share with everyone in my organisation",
};

export const EXPORT_DIALOG = {
  browserZone: (value: string) => `${value} (this browser's)`,
  title: "Export settlements",
  abort: "Abort",
  download: "Download CSV",
  selectedOnly: (count: number) => (count === 1 ? "The selected settlement." : `The ${count} selected settlements.`),
  all: "Every settlement.",
  filtered: (words: string) => `Only: ${words}.`,
  counting: "Counting…",
  timesIn: "Times in",
  byteOrderMark: "Begin with a byte order mark (for Excel)",
  moreThan: "More than ",
  row: "row",
  rows: "rows",
  aborted: (rows: string) => `Aborted after ${rows} ${rows === "1" ? "row" : "rows"}; nothing was saved.`,
  done: (rows: string) => `Done: ${rows} ${rows === "1" ? "row is" : "rows are"} in your downloads.`,
  progress: "Rows written",
  written: (rows: string, total: string) => `${rows} of ${total} rows`,
};
