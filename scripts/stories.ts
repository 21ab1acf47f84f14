/** Which stories run against which sandbox: each project has its own, and ends with that one's audit. */

type StoryProject = {
  name: string;
  title: string;
  matches: RegExp[];
  ignores: RegExp[];
  /** Whether it needs a browser. */
  browser: boolean;
};

const among = (folder: string, names: readonly string[]) => new RegExp(`/e2e/${folder}/(?:${names.join("|")})\\.spec\\.ts$`);

const API = /\/e2e\/api\/.*\.spec\.ts$/;
/** The surface where partners manage themselves, what `settle init` makes, and lists of receivers. */
const PARTNER = among("api", [
  "callback-receivers",
  "init",
  "partner-fiat",
  "partner-members",
  "partner-openapi",
  "partner-partners",
  "partner-people",
  "partner-rates",
  "partner-safes",
]);
const DOCS = /\/e2e\/docs\/.*\.spec\.ts$/;
const CONSOLE = /\/e2e\/console\/.*\.spec\.ts$/;
const PAGES = among("console", ["everybody"]);
/** Where the console's users see, decide and follow money. */
const MONEY = among("console", [
  "amounts",
  "approval-policy",
  "approvals",
  "bad-hour",
  "batches",
  "callbacks",
  "decision-in-view",
  "fiat",
  "held-payments",
  "payment-file",
  "rates",
  "settlement",
  "settlement-list",
  "settlements",
  "treasury",
  "unclear-order",
  "words-money",
]);
const PROGRAMS = among("api", [
  "certify",
  "cli",
  "clients",
  "demo",
  "docs-postman",
  "docs-samples",
  "doctor",
  "mcp",
  "sdk-stories",
  "sdks",
  "sdks-go-php",
]);
/**
 * These break their sandbox, or start further ones that are set differently. They wait more than they work, so they are in two projects. Those that
 * freeze parts of the service take turns with one sandbox, and the one that halts its treasury is the last.
 */
const APART_API = among("api", ["history", "many-processes", "rate-limits", "restart", "supervision", "traces"]);
const APART_CONSOLE = among("console", [
  "aging-rates",
  "database-away",
  "ill-service",
  "low-wallet",
  "restart",
  "review-and-unexplained",
  "service-status",
  "signed-decision",
  "traces",
]);
const AUDIT = /\/e2e\/zz-audit\.spec\.ts$/;

/**
 * `api` and `partner` use only HTTP, `programs` runs what partners run (SDKs, command line, samples), `docs` reads the documentation in a browser, `pages`
 * checks every page of the console against common rules, `console` and `money` use it as its users do. Those that
 * wait most first, then the longest, so that the last ones end at about the same time.
 */
export const STORY_PROJECTS: readonly StoryProject[] = [
  { name: "apart-console", title: "Stories of the console with further sandboxes", matches: [APART_CONSOLE], ignores: [], browser: true },
  { name: "apart-api", title: "API stories with further sandboxes", matches: [APART_API], ignores: [], browser: true },
  { name: "programs", title: "Stories of partners' programs", matches: [PROGRAMS, AUDIT], ignores: [], browser: false },
  { name: "money", title: "Stories of money in the console", matches: [MONEY, AUDIT], ignores: [], browser: true },
  { name: "console", title: "Stories of the console", matches: [CONSOLE, AUDIT], ignores: [PAGES, MONEY, APART_CONSOLE], browser: true },
  { name: "api", title: "API stories", matches: [API, AUDIT], ignores: [PROGRAMS, PARTNER, APART_API], browser: false },
  { name: "partner", title: "API stories of partners' management", matches: [PARTNER, AUDIT], ignores: [], browser: false },
  { name: "pages", title: "Stories of every page", matches: [PAGES, AUDIT], ignores: [], browser: true },
  { name: "docs", title: "Stories of the documentation", matches: [DOCS, AUDIT], ignores: [], browser: true },
];

/** The projects that have one of these files. */
export function projectsOf(files: readonly string[]): StoryProject[] {
  const has = ({ matches, ignores }: StoryProject, file: string) =>
    matches.some((pattern) => pattern.test(file)) && !ignores.some((pattern) => pattern.test(file));
  return STORY_PROJECTS.filter((project) => files.some((file) => has(project, file)));
}
