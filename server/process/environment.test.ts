import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { publicHalfOf } from "#domain/audit-key.ts";
import { SEALED_COLUMNS } from "#domain/sealed-place.ts";
import { READERS } from "#server/config/readers.ts";
import { VARIABLES } from "#server/config/variables.ts";
import { readConfig, readWorkerConfig } from "#server/config.ts";
import { signerEnvironment, webEnvironment, workerEnvironment } from "./environment.ts";
import { identityOf } from "./identity.ts";
import { nodePart } from "./node-part.ts";

const folder = mkdtempSync(join(tmpdir(), "environment-"));
afterAll(() => rmSync(folder, { recursive: true }));

const CHAIN = {
  chain: "eip155:1",
  name: "Ethereum",
  rpc_urls: ["https://one.example/"],
  confirmations: 12,
  native: { currency: "ETH", decimals: 18 },
  tokens: [],
  wallets: [
    { signer: "keystore", file: "treasury.json", password_env: "TREASURY_PASSWORD" },
    { signer: "remote", url: "https://signer.example/", address: `0x${"1".repeat(40)}` },
    {
      signer: "pkcs11",
      library: "/lib/hsm.so",
      token: "hot",
      key: "k",
      pin_env: "TOKEN_PIN",
      library_env: ["HSM_CONF"],
      address: `0x${"2".repeat(40)}`,
    },
    { signer: "aws-kms", key: "alias/treasury", region: "eu-central-1", address: `0x${"3".repeat(40)}` },
  ],
};
const ENV = {
  NODE_ENV: "production" as const,
  PATH: "/usr/bin",
  TZ: "UTC",
  MODE: "live",
  PORT: "3000",
  DATABASE_URL: "postgres://x@127.0.0.1/x",
  AUDIT_KEY: Buffer.alloc(32, 9).toString("base64"),
  VAULT_KEYS: `2026:${Buffer.alloc(32, 7).toString("base64")}`,
  CHAINS: JSON.stringify([CHAIN]),
  RATE_HTTP: JSON.stringify({ tickers: [{ headers: { "X-Api-Key": { env: "TICKER_KEY" } } }] }),
  TREASURY_PASSWORD: "a wallet's password",
  TICKER_KEY: "a key of a rate source",
  CLOUD_TOKEN: "somebody else's",
  TOKEN_PIN: "493817",
  HSM_CONF: "/etc/hsm.conf",
  AWS_SECRET_ACCESS_KEY: "a key of the account",
  AWS_REGION: "eu-central-1",
};

describe("the web process", () => {
  it("gets no wallet's password, nor who signs, nor what signs the audit log, nor a rate source's key, nor anything that is not the service's", () => {
    const environment = webEnvironment(ENV);
    expect(Object.keys(environment).sort()).toEqual([
      "AUDIT_PUBLIC_KEY",
      "CHAINS",
      "DATABASE_URL",
      "MODE",
      "NODE_ENV",
      "PATH",
      "PORT",
      "TZ",
      "VAULT_KEYS",
    ]);
    expect(environment.AUDIT_PUBLIC_KEY).toBe(publicHalfOf(Buffer.alloc(32, 9)).toString("base64"));
    expect(JSON.stringify(environment)).not.toContain(ENV.AUDIT_KEY);
    expect(JSON.stringify(environment)).not.toMatch(/password|TREASURY|signer|treasury\.json|rate source|somebody|493817|hsm|AWS|account/);
  });

  it("gets what checks the fiat provider's callbacks, and nothing that orders from it: of former providers too", () => {
    const secrets = { FIAT_RAIL_SECRET: "checks", FIAT_RAIL_ORDER_SECRET: "orders", FIAT_RAIL_URL: "https://rail.example" };
    const former = [
      { name: "before", secret: "checks-before", order_secret: "orders-before", url: "https://before.example", payout_path: "/p" },
    ];
    const environment = webEnvironment({ ...ENV, ...secrets, FIAT_RAIL_FORMER: JSON.stringify(former) });
    expect(environment).toMatchObject({ FIAT_RAIL_SECRET: "checks" });
    expect(JSON.parse(environment.FIAT_RAIL_FORMER ?? "")).toEqual([{ name: "before", secret: "checks-before" }]);
    expect(JSON.stringify(environment)).not.toMatch(/orders|rail\.example|before\.example/);
    expect(workerEnvironment({ ...ENV, ...secrets })).toMatchObject(secrets);
  });

  it("starts with what it is given", () => {
    const { chains } = readConfig({ ...webEnvironment(ENV), MODE: "sandbox" });
    expect(chains).toMatchObject([{ chain: "eip155:1", rpcUrls: ["https://one.example/"] }]);
  });

  it("really has no more than that", async () => {
    const script = join(folder, "tell.mjs");
    writeFileSync(script, `process.stdout.write(JSON.stringify(process.env)); process.send("ready"); setTimeout(() => {}, 60_000);`);
    const logFile = join(folder, "log");
    const part = nodePart({
      name: "A part",
      script,
      env: webEnvironment(ENV),
      logFile,
      readyTimeoutMs: 60_000,
      graceMs: 1,
    });
    const running = await part.start(new AbortController().signal);
    await running.stop();
    const logged = readFileSync(logFile, "utf8");
    expect(logged).toContain("VAULT_KEYS");
    expect(logged).not.toMatch(/a wallet's password|TREASURY_PASSWORD|CLOUD_TOKEN/);
  });
});

describe("what settings name", () => {
  it("the worker gets of its rate sources, also in a file", () => {
    const { RATE_HTTP, ...rest } = ENV;
    const RATE_HTTP_FILE = join(folder, "rates.json");
    writeFileSync(RATE_HTTP_FILE, RATE_HTTP);
    for (const env of [ENV, { ...rest, RATE_HTTP_FILE }]) expect(workerEnvironment(env)).toMatchObject({ TICKER_KEY: ENV.TICKER_KEY });
    expect(workerEnvironment(rest)).not.toHaveProperty("TICKER_KEY");
  });

  it("the signer gets of its wallets, also in a file, and the cloud's variables only where a wallet's key is there", () => {
    const { CHAINS, ...rest } = ENV;
    const CHAINS_FILE = join(folder, "chains.json");
    writeFileSync(CHAINS_FILE, CHAINS);
    expect(signerEnvironment({ ...rest, CHAINS_FILE })).toMatchObject({
      TREASURY_PASSWORD: ENV.TREASURY_PASSWORD,
      TOKEN_PIN: ENV.TOKEN_PIN,
    });
    expect(signerEnvironment({ ...rest, CHAINS_FILE: join(folder, "nowhere") })).not.toHaveProperty("TREASURY_PASSWORD");
    const one = JSON.stringify([{ ...CHAIN, wallets: CHAIN.wallets.slice(0, 1) }]);
    expect(Object.keys(signerEnvironment({ ...rest, CHAINS: one })).filter((name) => /AWS|PIN|HSM/.test(name))).toEqual([]);
  });
});

describe("the worker", () => {
  const withSocket = { ...ENV, SIGNER_SOCKET: "/run/signer/signer.sock", SIGNING_JOURNAL: "/var/lib/signer/journal.log" };

  it("gets nothing that opens a key, nor who signs, nor where the journal is; the signer gets these, and nothing else of the service", () => {
    const variables = workerEnvironment(withSocket);
    const { SIGNER_SOCKET: _, ...apart } = variables;
    expect(workerEnvironment(ENV)).toEqual(apart);
    expect(JSON.stringify(variables)).not.toMatch(/wallet's password|TREASURY|keystore|treasury\.json|493817|hsm|AWS|account|journal/);
    expect(variables).toMatchObject({ TICKER_KEY: ENV.TICKER_KEY, AUDIT_KEY: ENV.AUDIT_KEY, SIGNER_SOCKET: withSocket.SIGNER_SOCKET });
    expect(Object.keys(signerEnvironment(withSocket)).toSorted()).toEqual([
      ...["AWS_REGION", "AWS_SECRET_ACCESS_KEY", "CHAINS", "DATABASE_URL", "HSM_CONF", "MODE", "NODE_ENV", "PATH", "PORT"],
      ...["SIGNER_SOCKET", "SIGNING_JOURNAL", "TOKEN_PIN", "TREASURY_PASSWORD", "TZ"],
    ]);
  });

  it("refuses in live mode what opens a key all the same, and starts without it in a sandbox", () => {
    const given = { ...workerEnvironment(withSocket), CHAINS: ENV.CHAINS, TREASURY_PASSWORD: "a wallet's password" };
    expect(() => readWorkerConfig(given)).toThrow("TREASURY_PASSWORD is set: only the signer has what opens a key");
    expect(readWorkerConfig({ ...workerEnvironment(withSocket), MODE: "sandbox" })).toMatchObject({
      signerSocket: withSocket.SIGNER_SOCKET,
    });
    const { SIGNER_SOCKET: _, ...alone } = workerEnvironment(withSocket);
    expect(() => readWorkerConfig(alone)).toThrow("SIGNER_SOCKET is missing: the socket of the signer, which alone has keys");
  });
});

/** Each secret among the variables, and why a process has it. What is not named here opens nothing. */
const WHY: Record<string, { web?: string; worker?: string }> = {
  DATABASE_URL: { web: "its own log-in", worker: "its own log-in" },
  DATABASE_DIRECT_URL: { web: "its own log-in, to listen", worker: "its own log-in, to listen" },
  DATABASE_READ_URL: { web: "its own log-in, for the console's lists", worker: "its own log-in, of which it measures the delay" },
  VAULT_KEYS: { web: "opens API secrets and second factors", worker: "opens callback secrets, and seals again" },
  PROOF_KEYS: { web: "signs quotes and receipts in answers" },
  CALLBACK_KEYS: { web: "publishes their public halves, and signs samples", worker: "signs callbacks" },
  AUDIT_KEY: { worker: "signs the ends of the audit log" },
  RATE_HTTP: { worker: "reads the market" },
  FIAT_RAIL_SECRET: { web: "checks the provider's callbacks", worker: "signs the simulated provider's" },
  FIAT_RAIL_ORDER_SECRET: { worker: "signs orders" },
  FIAT_RAIL_FORMER: { web: "checks former providers' callbacks", worker: "signs the orders that they finish" },
  SMTP_URL: { worker: "sends mail" },
  METRICS_TOKEN: { web: "answers /metrics and the details of /ready" },
  OTEL_EXPORTER_OTLP_HEADERS: { web: "sends its traces", worker: "sends its traces" },
};
/** Variables that may hold a secret, by what they are called or by their form. */
const MAY_BE_SECRET = /SECRET|KEYS?$|TOKEN|URL|HEADERS|FORMER|RATE_HTTP$/;
/** What looks like one and opens nothing. */
const OPENS_NOTHING = [
  "BASE_URL",
  "FIAT_RAIL_URL",
  "CHAIN_RPC_URL",
  "AUDIT_PUBLIC_KEY",
  "MIGRATION_DATABASE_URL",
  "WEB_DATABASE_URL",
  "WORKER_DATABASE_URL",
  "SIGNER_DATABASE_URL",
];

describe("every variable", () => {
  const all = Object.fromEntries(Object.keys(VARIABLES.shape).map((name) => [name, "[]"])) as NodeJS.ProcessEnv;
  const given = { web: Object.keys(webEnvironment(all)), worker: Object.keys(workerEnvironment(all)) };

  it("goes only where the list says, and a secret only with a reason", () => {
    expect(Object.keys(READERS).toSorted()).toEqual(Object.keys(VARIABLES.shape).toSorted());
    for (const process of ["web", "worker"] as const) {
      const secrets = given[process].filter((name) => MAY_BE_SECRET.test(name) && !OPENS_NOTHING.includes(name));
      expect(secrets.toSorted()).toEqual(
        Object.keys(WHY)
          .filter((name) => WHY[name]?.[process] !== undefined)
          .toSorted(),
      );
    }
  });

  it("that is secret is in the inventory of keys, and so is every secret that the database keeps sealed", () => {
    const inventory = readFileSync(new URL("../../docs/runbooks/keys.md", import.meta.url), "utf8");
    const named = [...Object.keys(WHY), ...SEALED_COLUMNS];
    expect(named.filter((name) => !inventory.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("a user that a process is to run as", () => {
  it("is one of this machine's, and root's to choose", () => {
    expect(identityOf("WEB_USER", null)).toBeNull();
    expect(identityOf("WEB_USER", "nobody", 0)).toEqual({ uid: expect.any(Number), gid: expect.any(Number) });
    expect(() => identityOf("WEB_USER", "nobody-of-that-name", 0)).toThrow(/WEB_USER: there is no user/);
    expect(() => identityOf("WEB_USER", "nobody", 1_000)).toThrow(/only root/);
  });
});
