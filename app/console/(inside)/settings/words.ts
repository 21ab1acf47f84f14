export const PAGE = {
  title: "Settings",
  lead: "Set in the configuration of the installation. You cannot change them here",
};

const days = (count: number) => `${count} days`;
const limit = (perSecond: number) => (perSecond === 0 ? "any number" : String(perSecond));

export const FACTS = {
  organisation: {
    title: "Organisation",
    mode: "Mode",
    sandbox: "Sandbox: everything simulated",
    live: "Live: real money",
    address: "Address",
    brand: "Brand",
    headers: "Signing headers",
  },
  quotes: {
    title: "Quotes and approvals",
    lifetime: "Quote lifetime",
    eachPair: "Set for each pair",
    drift: "Drift tolerance",
    driftOf: (points: number) => `${points} bps between what an approver saw and the approval`,
    source: "Rate source",
    fixed: "Fixed",
    tickers: "Tickers and a fiat reference",
    oldest: "Oldest rate quoted from",
  },
  callbacks: {
    title: "Callbacks",
    attempts: "Attempts",
    /** The delay after each failure. */
    schedule: (delays: readonly number[]) => {
      const waits = delays.slice(1).map((seconds) => (seconds < 3_600 ? `${seconds / 60}\u00a0min` : `${seconds / 3_600}\u00a0h`));
      return `${delays.length}: at once, then after ${waits.join(", ")}`;
    },
    deadline: "Deadline of an attempt",
    privateHosts: "Private hosts allowed",
  },
  access: {
    title: "Access",
    factors: "Two factors",
    required: "Required for admins, approvers and partners' owners",
    leftToEach: "Left to each person",
    session: "A session ends",
    sessionAfter: (hours: number, idle: number) => `after ${hours} hours, or ${idle} without use`,
    requests: "Requests per second and key",
    requestsOf: (writes: number, reads: number) => `${limit(writes)} that write, ${limit(reads)} that read`,
    proxies: "Trusted proxies",
  },
  retention: {
    title: "Retention",
    log: "API log",
    bodies: "Bodies of refused requests",
    attempts: "Attempts of callbacks",
    repetitions: "Repeated messages of the provider",
    quotes: "Quotes that lapsed",
    archive: "Then in the archive",
    rest: "Audit log, ledger and money",
    ever: "For ever",
  },
  seconds: (seconds: number) => `${seconds} s`,
  days,
};
