/** The texts of the command-line page; a test compares them with the commands themselves. */

/** Every subcommand and its purpose. */
export const CLI_COMMANDS: Readonly<Record<string, string>> = {
  login: "Test a URL and a key, and store them in your profile",
  init: "Make a project that pays in the sandbox, with its tests, in your language",
  doctor: "Diagnose problems: reachability, clock, key, signature, limits, callbacks",
  pairs: "List the pairs that you can quote: currencies, chains, limits, fee, and whether quoting is up",
  quote: "Create a settlement and get its quote; no money moves",
  confirm: "Confirm a quote; the service then pays it",
  cancel: "Cancel a settlement that is not yet confirmed, or a withdrawal or top-up of which nothing has moved",
  batch: "Create up to 500 settlements from a CSV file, all or none; read, confirm, cancel or requote a batch",
  get: "Read a settlement, a withdrawal or a top-up, or a settlement's callbacks with every attempt",
  trigger: "Produce any outcome in the sandbox: quote, confirm and wait for it",
  clock: "Read the sandbox's clock, or move it ahead so that quotes expire and callbacks come due",
  listen: "Receive callbacks on this machine: verify, print and answer them",
  resend: "Start the six attempts of a callback again, with the same id and body",
  logs: "List your settlements, withdrawals and top-ups with their status",
  events: "List every change, oldest first, and follow what changes next",
  sign: "Print the five headers of a request and the signing string; send nothing",
  certify: "Test your receiver and your client against faults: duplicates, forgeries, lost answers, 409, 410, 429, 503",
  mcp: "Serve the Model Context Protocol on standard input and output, for agents",
};

/** The exit codes. */
export const CLI_EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, "Done."],
  [1, "The service refused, or the outcome was not the one asked for."],
  [2, "The command was wrong, or nobody is logged in. Nothing was sent."],
  [3, "No answer came, so it is unknown whether anything happened. Repeating the command is safe."],
  [4, "A check failed. The output names the fault."],
  [130, "Interrupted before it was done."],
];

/** The project of a language; a story makes and runs it. */
export const CLI_INIT = "npx settle init --language python my-shop";

/** From nothing to a verified callback; a story runs it. */
export const CLI_WALK = {
  first: ["npx settle login --sandbox", "npx settle doctor"],
  listen: "npx settle listen --port 4242",
  trigger: "npx settle trigger executed --callback-url http://127.0.0.1:4242/callbacks",
} as const;

export const CLI_ORDER = `npx settle quote --amount 100000 --from KES --to USDT \\
  --wallet 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed --intent order-1001 \\
  --callback-url http://127.0.0.1:4242/callbacks
npx settle confirm TX_ID --wait`;

/** From another folder; a test runs each. PROJECT: where the repository is. */
export const CLI_ELSEWHERE = `npx PROJECT --help
node PROJECT/cli/settle.mjs --help
npm install --global PROJECT && settle --help`;

export const CLI_MISBEHAVE = `npx settle listen --fail 3
npx settle listen --hang
npx settle listen --redirect https://example.com/elsewhere
npx settle listen --forward http://localhost:8080/callbacks`;

export const MCP_CLIENT = `{
  "mcpServers": {
    "settlement": {
      "command": "npx",
      "args": ["settle", "mcp"],
      "cwd": "…/settlement-service"
    }
  }
}`;
