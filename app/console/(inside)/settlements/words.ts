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
  searchedAsTry: (match: string) => `Searched as {strong}${match === "prefix" ? ", by its beginning" : ""}. Try as`,
};

export const TILES_WORDS = {
  all: "All",
  awaitingApproval: "Awaiting approval",
  processing: "Processing",
  failedToday: "Failed today",
  undelivered: "Undelivered",
  lists: "Lists",
};

export const PEEK = {
  settlementBesideList: "Settlement next to the list",
  rowBefore: "Previous row",
  nextRow: "Next row",
  closeSidePanel: "Close the side panel",
  openWholePage: "Open the whole page",
  thereNoSuch: "There is no such settlement.",
  forAmount: "for {amount}",
  gross: "Gross",
  platformFee: "Platform fee",
  partner: "Partner",
  merchant: "Merchant",
  externalId: "External id",
  wallet: "Wallet",
  walletNoun: "wallet",
  chain: "Chain",
  transaction: "Transaction",
  transactionHash: "transaction hash",
  created: "Created",
  quoteExpires: "Quote expires",
  executed: "Executed",
  failure: "Failure",
  rejectedBecause: "Rejected because",
  callbacks: "Callbacks",
};

export const COLUMNS = {
  status: "Status",
  partner: "Partner",
  settlement: "Settlement",
  merchant: "Merchant",
  externalId: "External id",
  source: "Source",
  net: "Net",
  chain: "Chain",
  wallet: "Wallet",
  walletNoun: "wallet",
  created: "Created",
  expiresOrExecuted: "Expires or executed",
  callback: "Callback",
};

export const SETTLEMENT_LINK = {
  settlement: "settlement",
};

export const VIEWS = {
  everybody: "For everyone",
  yours: "Yours",
  sharedByColleagues: "Shared by colleagues",
  views: "Views",
  shared: "shared",
  saveListAs: "Save this list as a view…",
  view: "View",
  viewModified: "View modified",
  save: "Save",
  reset: "Reset",
  renameOrShare: "Rename or share",
  deleteWord: "Delete",
  copyLinkList: "Copy a link to this list",
};

export const SHIPPED_VIEWS = {
  needsApproval: "Needs approval",
  processing10Min: "Processing > 10 min",
  failedToday: "Failed today",
  lapsedAfterApproval: "Lapsed after approval",
  undelivered: "Undelivered",
  decidedByMe: "Decided by me",
};

export const USE_SETTLEMENT_FILTERS = {
  callbackWords: { pending: "Retrying", delivered: "Delivered", undelivered: "Undelivered" } as Readonly<Record<string, string>>,
  approvalWords: {
    none: "Not needed",
    pending: "Pending",
    approved: "Approved",
    rejected: "Rejected",
  },
  chooseSourceCurrency: "Choose a source currency first",
  sourceCurrency: "Source currency",
  from: (text: string) => `from ${text}`,
  destinationCurrency: "Destination currency",
  to: (text: string) => `to ${text}`,
  sourceAmountFrom: "Source amount from",
  least: (amount: string, source: null | string) => `at least ${amount} ${source ?? ""}`,
  toNoun: "to",
  most: (amount: string, source: null | string) => `at most ${amount} ${source ?? ""}`,
  chain: "Chain",
  merchant: "Merchant",
  wholeReference: "The full reference",
  merchantFilter: (text: string) => `merchant ${text}`,
  createdFromUtc: "Created from (UTC)",
  included: "To (inclusive)",
  executedFromUtc: "Executed from (UTC)",
  untilIncluded: "Until (inclusive)",
  executedSince: (day: string) => `executed since ${day}`,
  executedUntil: (day: string) => `executed until ${day}`,
  settlement: "settlement",
  settlements: "settlements",
  state: "State",
  approval: "Approval",
  approvalFilter: (given: string) => `approval ${given}`,
  withLapsedQuote: "With a lapsed quote, including those awaiting approval",
  withLapsedQuoteFilter: "with a lapsed quote",
  failedTodayUtc: "Failed today (UTC)",
  failedTodayFilter: "failed today (UTC)",
  decidedByMe: "Decided by me",
  decidedByMeFilter: "decided by me",
  processingMinutesOr: "Minutes in processing",
  processingMinutesFilter: (minutes: string) => `processing for ${minutes} minutes or more`,
  callbacks: "Callbacks",
  callback: (given: string) => `callback ${given}`,
  failureReason: "Failure reason",
  part: "Part of the reason",
  failedWith: (text: string) => `failed with “${text}”`,
};

export const SETTLEMENT_LIST = {
  exportList: "Export this list",
  settlements: "Settlements",
  idHashWallet: "id, hash, wallet or reference",
  exportWord: "Export",
  nothing: (held: string) => `Nothing is ${held}.`,
  noSettlementsYet: "No settlements yet",
  theyAppearHere: "They appear here as soon as a partner requests a quote.",
  createFirstQuote: "Create the first quote with your API key.",
  readHow: "Read how",
  all: (count: string, more: boolean) => `${count}${more ? "+" : ""} in all`,
};

export const ROW_MENU = {
  copied: "Copied",
  copy: (what: string) => `Copy ${what}`,
  only: (what: string) => `Only ${what}`,
  open: "Open",
  lookBesideList: "Preview next to the list",
  select: "Select",
  settlementId: "settlement id",
  externalId: "external id",
  transactionHash: "transaction hash",
  sourceAmount: "source amount",
  netAmount: "net amount",
  merchant: "this merchant",
  partner: "this partner",
  pair: "this pair",
  day: "this day",
};

export const ROWS = {
  lookMarkedRow: "Preview the highlighted row next to the list",
  openMarkedRow: "Open the highlighted row",
  whatDoWith: "Actions for the highlighted row",
  closeSidePanel: "Close the side panel, clear the selection",
  settlementsNewestFirst: "Settlements, newest first",
  actions: (row: string) => `Actions for ${row}`,
};

export const SELECTION_BAR = {
  copied: "Copied",
  settlementIds: (count: number) => `${count} settlement ids`,
  selected: (count: number) => `${count} selected`,
  copyIds: "Copy ids",
  exportSelected: "Export selected",
  clearSelection: "Clear selection",
};

export const VIEW_DIALOG = {
  viewDeleted: "View deleted",
  viewSaved: "View saved",
  saveListAs: "Save this list as a view",
  saveView: "Save view",
  deleteWord: (name: undefined | string) => `Delete “${name}”?`,
  deleteButton: "Delete",
  save: "Save",
  settlementsStay: (shared: undefined | boolean) =>
    `${shared ? "Your colleagues lose it too." : "Only you can see it."} The settlements are not deleted.`,
  name: "Name",
  shareWithEverybody: "Share with everyone in my organisation",
};

export const EXPORT_DIALOG = {
  browsers: (value: string) => `${value} (this browser's)`,
  exportSettlements: "Export settlements",
  abort: "Abort",
  close: "Close",
  downloadCsv: "Download CSV",
  selected: (count: number) => `The ${count} selected settlements.`,
  everySettlement: "Every settlement.",
  only: (words: string) => `Only: ${words}.`,
  counting: "Counting…",
  times: "Times in",
  columns: "Columns",
  beginWithByte: "Begin with a byte order mark (for Excel)",
  moreThan: "More than ",
  row: "row",
  rows: "rows",
  abortedAfterRows: (rows: string) => `Aborted after ${rows} rows; nothing was saved.`,
  doneRowsYour: (rows: string) => `Done: ${rows} rows are in your downloads.`,
  rowsWritten: "Rows written",
  rowsOfTotal: (rows: string, total: string) => `${rows} of ${total} rows`,
};
