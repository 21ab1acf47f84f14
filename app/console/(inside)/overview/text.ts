/** What the overview says. Words of states are those of their badges. */

const some = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const OVERVIEW = {
  title: "Overview",
  more: "More figures",
  fewer: "Fewer figures",
  newest: "Newest settlements",
  newestCaption: "The ten newest settlements",
  all: "All settlements",
  noneYet: "No settlements yet",
  noneYetMore: "The steps above lead to the first one.",
  loadingHealth: "Loading how the service is",
  loadingFigures: "Loading the key figures",
  loadingPlot: "Loading a plot",
};

/** How the service is, in five words and their signs. */
export const HEALTH = {
  label: "Health",
  worker: { name: "Worker", well: "working", gone: "none is running", behind: "due work waits", payments: "payments wait" },
  service: { name: "Service", well: "answers", slow: "has trouble answering", delayed: "payments are delayed", away: "does not answer" },
  database: { away: "the database does not answer", slow: "the database is slow" },
  chain: {
    name: "Chain",
    well: "moving",
    still: "stands still",
    halted: (lanes: number) => some(lanes, "lane halted", "lanes halted"),
  },
  callbacks: {
    name: "Callbacks",
    well: "all delivered",
    failing: (count: number) => `${count.toLocaleString("en")} not delivered`,
  },
  rates: {
    name: "Rates",
    well: (count: number) => (count === 1 ? "fresh" : `all ${count} fresh`),
    partner: "quoting",
    halted: (pairs: number) => some(pairs, "pair not quoted", "pairs not quoted"),
  },
  treasury: {
    name: "Treasury",
    well: "lasts",
    unread: "not read yet",
    lasts: (time: string) => `lasts ${time}`,
    low: (currencies: string) => `${currencies} low`,
  },
};

/** What waits for whoever looks. */
export const WAITING = {
  label: "Needs attention",
  nothing: "Nothing waits for you.",
  awaiting: (count: number, age: string | null) =>
    `${count} ${count === 1 ? "awaits" : "await"} approval${age === null ? "" : `, oldest ${age}`}`,
  lanes: (count: number) => `${some(count, "lane is halted", "lanes are halted")}: payments wait`,
  review: (count: number) => some(count, "payment needs review", "payments need review"),
  held: (count: number) => some(count, "payment is held for a decision", "payments are held for a decision"),
  ambiguous: (count: number) => `${some(count, "order is", "orders are")} unclear at the provider, or paid too late`,
  low: (currency: string, chain: string) => `${currency} runs low on ${chain}`,
  approved: (count: number) => `${count} approved, to be confirmed before ${count === 1 ? "it lapses" : "they lapse"}`,
  undelivered: (count: number) => some(count, "undelivered callback", "undelivered callbacks"),
  retrying: (count: number) => `${some(count, "callback", "callbacks")} failing, still retried`,
  slow: (count: number) => `${count} processing > 10 m`,
  haltedOne: (pair: string) => `Quoting of ${pair} is halted`,
  haltedMany: (count: number) => `Quoting of ${count} pairs is halted`,
};
