import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { publicHalfOf } from "#domain/audit-key.ts";
import { assertSignsNothing, ConfigError, readConfig, readWorkerConfig } from "#server/config.ts";

const folder = mkdtempSync(join(tmpdir(), "config-"));
writeFileSync(join(folder, "keystore.json"), "{}");
const VAULT_KEY = randomBytes(32).toString("base64");
const AUDIT_KEY = randomBytes(32);

const CHAIN = {
  chain: "eip155:1",
  name: "Ethereum",
  rpc_urls: ["https://rpc.example.com"],
  confirmations: 12,
  native: { currency: "ETH", decimals: 18 },
  tokens: [{ currency: "USDT", address: "0xdAC17F958D2ee523a2206206994597C13D831ec7", decimals: 6 }],
  wallets: [{ signer: "keystore", file: join(folder, "keystore.json"), password_env: "WALLET_PASSWORD" }],
};
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const TOKEN = { signer: "pkcs11", library: join(folder, "keystore.json"), token: "hot", key: "k", pin_env: "TOKEN_PIN", address: WALLET };
const KMS = { signer: "aws-kms", key: "alias/treasury", region: "eu-central-1", address: WALLET };
const RATE_HTTP = {
  tickers: [
    { name: "kraken", format: "kraken", url: "https://api.kraken.example/0/public/Ticker?pair={base}{quote}" },
    {
      name: "bitstamp",
      format: "bitstamp",
      url: "https://bitstamp.example/{base}{quote}",
      headers: { "X-Api-Key": { env: "BITSTAMP_KEY" } },
    },
  ],
  references: [
    { name: "ecb", format: "ecb_xml", url: "https://ecb.example/daily.xml" },
    { name: "bank", format: "base_rates", url: "https://bank.example/rates" },
  ],
};
const LIVE = {
  MODE: "live",
  DATABASE_URL: "postgres://settlement:h7Kq-29fmWx_tR@db.example.com/settlement?sslmode=verify-full",
  BASE_URL: "https://api.example.com",
  CHAINS: JSON.stringify([CHAIN]),
  VAULT_KEYS: `k1:${VAULT_KEY}`,
  AUDIT_KEY: AUDIT_KEY.toString("base64"),
  RATE_SOURCE: "http",
  RATE_HTTP: JSON.stringify(RATE_HTTP),
  FIAT_RAIL: "http",
  FIAT_RAIL_SECRET: "p9Xw-tJ4mQz7_vLs2Rk8-cYh6Nd3bFg1",
  FIAT_RAIL_URL: "https://rail.example/v1/",
  BITSTAMP_KEY: "b17-key",
  SCREENING: "off",
  WALLET_PASSWORD: "vT4-tumble-orchid-93",
};
const PLAIN_DATABASE = "postgres://settlement:h7Kq-29fmWx_tR@db.example.com/settlement";
const SANDBOX = {
  DATABASE_URL: "postgres://postgres@127.0.0.1:5432/sandbox",
  CHAINS: JSON.stringify([{ ...CHAIN, chain: "eip155:31337", wallets: [{ signer: "sandbox", key_file: "treasury.key" }] }]),
  VAULT_KEYS: `sandbox:${VAULT_KEY}`,
};

function problemsOf(
  env: Record<string, string | undefined>,
  read: (env: Record<string, string | undefined>) => unknown = readWorkerConfig,
): readonly string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const withChain = (change: object) => ({ ...LIVE, CHAINS: JSON.stringify([{ ...CHAIN, ...change }]) });

const withRates = (change: object) => ({ ...LIVE, RATE_HTTP: JSON.stringify({ ...RATE_HTTP, ...change }) });

describe("the sandbox's configuration", () => {
  test("hands a worker the token's PIN and, of the environment, what its library is to be told and no more", () => {
    const written = { ...TOKEN, library_env: ["HSM_CONF"] };
    const env = { ...withChain({ wallets: [written, KMS] }), TOKEN_PIN: "4938", HSM_CONF: "/etc/hsm", PATH: "/bin", OTHER: "x" };
    const [token, kms] = readWorkerConfig(env).chains[0]?.wallets ?? [];
    const { pin_env: _pin, library_env: _env, ...rest } = written;
    expect(token).toEqual({ ...rest, pin: "4938", env: { HSM_CONF: "/etc/hsm", PATH: "/bin" } });
    expect(kms).toEqual({ ...KMS, endpoint: null });
  });

  test("needs only a database, chains and vault keys, and has the contract's defaults", () => {
    const config = readConfig(SANDBOX);
    expect(config).toMatchObject({
      mode: "sandbox",
      port: 3000,
      baseUrl: "http://localhost:3000",
      brand: "Service",
      rateSource: "fixed",
      fiatRail: { kind: "simulated" },
      driftToleranceBps: 10,
      rateLimits: { writesPerSecond: 50, readsPerSecond: 200 },
      callbackAllowedHosts: ["localhost", "127.0.0.1"],
      callbackPorts: null,
      trustedProxies: [],
      logLevel: "info",
    });
    expect(config.vaultKeys[0]?.key).toHaveLength(32);
  });

  test("takes an empty variable for one that is not set", () => {
    expect(readConfig({ ...SANDBOX, PORT: "", BRAND: " ", BASE_URL: "" })).toMatchObject({ port: 3000, brand: "Service" });
  });

  test("reads chains from a file, and finds key files beside it", () => {
    const file = join(folder, "chains.json");
    writeFileSync(file, SANDBOX.CHAINS);
    const config = readWorkerConfig({ ...SANDBOX, CHAINS: undefined, CHAINS_FILE: file });
    expect(config.chains[0]?.wallets).toEqual([{ signer: "sandbox", keyFile: join(folder, "treasury.key") }]);
  });
});

describe("a process that signs nothing", () => {
  test("starts without being told who does; a worker does not", () => {
    const chains = JSON.stringify([{ ...CHAIN, chain: "eip155:31337", wallets: undefined }]);
    expect(readConfig({ ...SANDBOX, CHAINS: chains }).chains).toHaveLength(1);
    expect(() => readWorkerConfig({ ...SANDBOX, CHAINS: chains })).toThrow("CHAINS[0].wallets wants at least one treasury wallet.");
  });

  test("does not start in live mode with a wallet's password in its environment", () => {
    expect(() => assertSignsNothing(LIVE)).toThrow("WALLET_PASSWORD is set: only the worker signs");
    expect(() => assertSignsNothing({ ...LIVE, WALLET_PASSWORD: undefined })).toThrow("AUDIT_KEY is set: only the worker signs");
    const bare = { WALLET_PASSWORD: undefined, AUDIT_KEY: undefined };
    expect(() => assertSignsNothing({ ...LIVE, ...bare })).not.toThrow();
    const told = { ...withChain({ wallets: [TOKEN, KMS] }), AUDIT_KEY: undefined };
    expect(() => assertSignsNothing({ ...told, TOKEN_PIN: "4938" })).toThrow("TOKEN_PIN is set: only the worker signs");
    expect(() => assertSignsNothing({ ...told, AWS_SESSION_TOKEN: "t" })).toThrow("AWS_SESSION_TOKEN is set: only the worker signs");
    expect(() => assertSignsNothing({ ...LIVE, ...bare, AWS_SESSION_TOKEN: "t" })).not.toThrow();
    expect(() => assertSignsNothing(SANDBOX)).not.toThrow();
  });
});

describe("a faulty configuration", () => {
  test("is refused with every problem at once, in plain sentences", () => {
    expect(
      problemsOf({ PORT: "http", BRAND: "my brand", VAULT_KEYS: "short", CHAINS: "[]", LOG_LEVEL: "loud", TRUSTED_PROXIES: "10.0.0.0/33" }),
    ).toEqual([
      "PORT must be a whole number from 0 to 65535.",
      "BRAND must be letters, digits and hyphens, at most 32, a letter first.",
      expect.stringMatching(/^VAULT_KEYS must be one or more entries of the form id:key/),
      "TRUSTED_PROXIES must be addresses or CIDR ranges, separated by commas.",
      "LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent.",
      "CHAINS names no chain.",
      "DATABASE_URL is missing.",
    ]);
  });

  test.each([
    ["CHAINS is not valid JSON.", "{"],
    ["CHAINS wants a JSON array of chains.", "{}"],
    ["CHAINS[0].chain wants the CAIP-2 name of an EVM chain, such as eip155:1.", JSON.stringify([{ ...CHAIN, chain: "ethereum" }])],
    ["CHAINS[0].tokens[0].decimals wants a whole number.", JSON.stringify([{ ...CHAIN, tokens: [{ ...CHAIN.tokens[0], decimals: 6.5 }] }])],
    [
      "CHAINS[0].tokens[0].address wants an address of 0x and 40 hexadecimal digits.",
      JSON.stringify([{ ...CHAIN, tokens: [{ ...CHAIN.tokens[0], address: "0x1" }] }]),
    ],
    ["CHAINS[0].wallets wants at least one treasury wallet.", JSON.stringify([{ ...CHAIN, wallets: [] }])],
    [
      "CHAINS[0].wallets[0].signer wants keystore, remote, pkcs11 or aws-kms, in the sandbox also sandbox.",
      JSON.stringify([{ ...CHAIN, wallets: [{ signer: "paper" }] }]),
    ],
    ["CHAINS[0].name is missing: it wants a string.", JSON.stringify([{ ...CHAIN, name: undefined }])],
    ["CHAINS[0] has unknown members: confirmation.", JSON.stringify([{ ...CHAIN, confirmation: 3 }])],
    ["CHAINS[0].explorer_url wants an http or https URL.", JSON.stringify([{ ...CHAIN, explorer_url: "javascript:alert(1)" }])],
    ["CHAINS names eip155:1 twice.", JSON.stringify([CHAIN, CHAIN])],
    ["CHAINS names USDT on eip155:1 twice.", JSON.stringify([{ ...CHAIN, tokens: [CHAIN.tokens[0], CHAIN.tokens[0]] }])],
    ["CHAINS[0].gas wants coin, token or same-as-token.", JSON.stringify([{ ...CHAIN, gas: "oil" }])],
  ])("says of chains: %s", (sentence, chains) => {
    expect(problemsOf({ ...LIVE, CHAINS: chains })).toContain(sentence);
  });

  test("never repeats a secret in what it says", () => {
    const text = problemsOf({
      ...LIVE,
      DATABASE_URL: "postgres://u:hunter2@db/x?sslmode=verify-full",
      VAULT_KEYS: "k1:c2VjcmV0LWluLXRoZS1jb25maWc=",
      WALLET_PASSWORD: "tulips",
    }).join("\n");
    for (const secret of ["hunter2", "c2VjcmV0", "tulips"]) expect(text).not.toContain(secret);
    expect(text).toContain("DATABASE_URL: the password");
  });
});

describe("live mode", () => {
  test("starts with a complete and safe configuration", () => {
    expect(problemsOf(LIVE)).toEqual([]);
    expect(readWorkerConfig(LIVE)).toMatchObject({
      mode: "live",
      callbackAllowedHosts: [],
      callbackPorts: [443, 8443],
      rateSource: "http",
      rateHttp: { minimumTickers: 2, timeoutMs: 3_000 },
      fiatRail: {
        kind: "http",
        url: "https://rail.example/v1",
        secret: LIVE.FIAT_RAIL_SECRET,
        paths: { collect: "/collections", payOut: "/payouts", lookUp: "/orders/status" },
        timeoutMs: 10_000,
      },
    });
    expect(readConfig({ ...LIVE, CALLBACK_PORTS: "443, 9443" }).callbackPorts).toEqual([443, 9_443]);
    expect(problemsOf({ ...LIVE, CALLBACK_PORTS: "https" })).toEqual(["CALLBACK_PORTS must be port numbers, separated by commas."]);
    expect(readConfig({ ...LIVE, RETENTION_DAYS: "api_log:60" }).retention).toMatchObject({ api_log: 60, archive: 400 });
    expect(problemsOf({ ...LIVE, RETENTION_DAYS: "api_log:1" })).toEqual([expect.stringMatching(/^RETENTION_DAYS must be days/)]);
    expect([readConfig(LIVE).vaultBinds, readConfig({ ...SANDBOX, VAULT_BINDS: "0" }).vaultBinds]).toEqual([true, false]);
    expect(readWorkerConfig(LIVE).rateHttp?.tickers[1]?.headers).toEqual({ "X-Api-Key": "b17-key" });
  });

  test("says all that is missing at once", () => {
    expect(problemsOf({ MODE: "live" })).toEqual([
      "CHAINS is missing: the chains to pay on, as JSON, or CHAINS_FILE with the name of a file that holds it.",
      "DATABASE_URL is missing.",
      "VAULT_KEYS is missing.",
      "BASE_URL is missing: the https address under which partners reach the service.",
      "RATE_SOURCE is missing: live mode wants http.",
      "FIAT_RAIL is missing: live mode wants http.",
      "FIAT_RAIL_SECRET is missing: what the fiat provider and the service sign with.",
      "FIAT_RAIL_URL is missing: the address of the fiat provider.",
      expect.stringMatching(/^AUDIT_KEY is missing/),
      expect.stringMatching(/^RATE_HTTP is missing/),
    ]);
  });

  test("signs the audit log with a random key, whose public half everybody may be told", () => {
    const publicKey = publicHalfOf(AUDIT_KEY);
    expect(readWorkerConfig(LIVE)).toMatchObject({ auditKey: AUDIT_KEY, auditPublicKey: publicKey, auditAnchor: null });
    expect(readConfig({ ...LIVE, AUDIT_KEY: undefined, AUDIT_PUBLIC_KEY: publicKey.toString("base64") }).auditPublicKey).toEqual(publicKey);
    expect(problemsOf({ ...LIVE, AUDIT_KEY: Buffer.alloc(32).toString("base64") })).toEqual([expect.stringMatching(/^AUDIT_KEY repeats/)]);
    expect(problemsOf({ ...LIVE, AUDIT_PUBLIC_KEY: VAULT_KEY })).toEqual(["AUDIT_PUBLIC_KEY is not that of AUDIT_KEY."]);
    expect(readConfig({ ...LIVE, AUDIT_ANCHOR: `12:${"a".repeat(64)}` }).auditAnchor).toEqual({ seq: 12, hash: "a".repeat(64) });
    expect(problemsOf({ ...LIVE, AUDIT_ANCHOR: "12" })).toEqual([expect.stringMatching(/^AUDIT_ANCHOR must be an end/)]);
  });

  test.each<[string, RegExp, Record<string, string | undefined>]>([
    ["a BASE_URL without https", /^BASE_URL must be https/, { ...LIVE, BASE_URL: "http://api.example.com" }],
    [
      "a database without a password",
      /^DATABASE_URL has no password/,
      { ...LIVE, DATABASE_URL: "postgres://app@db.example.com/x?sslmode=verify-full" },
    ],
    [
      "a short database password",
      /^DATABASE_URL: the password is shorter/,
      { ...LIVE, DATABASE_URL: "postgres://app:postgres@db.example.com/x?sslmode=verify-full" },
    ],
    [
      "a well-known database password",
      /^DATABASE_URL: the password is a well-known sample/,
      { ...LIVE, DATABASE_URL: "postgres://app:password12345@db/x?sslmode=verify-full" },
    ],
    [
      "a repetitive database password",
      /^DATABASE_URL: the password repeats/,
      { ...LIVE, DATABASE_URL: "postgres://app:abababababab1@db/x?sslmode=verify-full" },
    ],
    [
      "a vault key of zeros",
      /^VAULT_KEYS: the key k1 repeats a few bytes/,
      { ...LIVE, VAULT_KEYS: `k1:${Buffer.alloc(32).toString("base64")}` },
    ],
    [
      "a vault key that counts",
      /^VAULT_KEYS: the key k1 is a plain sequence/,
      { ...LIVE, VAULT_KEYS: `k1:${Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString("base64")}` },
    ],
    [
      "a vault key that is a sentence",
      /^VAULT_KEYS: the key k1 is readable text/,
      { ...LIVE, VAULT_KEYS: `k1:${Buffer.from("the quick brown fox jumps over a").toString("base64")}` },
    ],
    [
      "a weak second vault key",
      /^VAULT_KEYS: the key old repeats/,
      { ...LIVE, VAULT_KEYS: `${LIVE.VAULT_KEYS},old:${Buffer.alloc(32, 7).toString("base64")}` },
    ],
    ["the sandbox's vault key", /^VAULT_KEYS: the key sandbox-1 is a sandbox key/, { ...LIVE, VAULT_KEYS: `sandbox-1:${VAULT_KEY}` }],
    [
      "the sandbox's key for callbacks",
      /^CALLBACK_KEYS: the key sandbox-1 is a sandbox key/,
      { ...LIVE, CALLBACK_KEYS: `sandbox-1:${VAULT_KEY}` },
    ],
    [
      "a key for callbacks under the name of one for proofs",
      /^CALLBACK_KEYS: k1 is the name of a key of PROOF_KEYS/,
      { ...LIVE, PROOF_KEYS: `k1:${VAULT_KEY}`, CALLBACK_KEYS: `k1:${randomBytes(32).toString("base64")}` },
    ],
    [
      "a key for callbacks that is one for proofs under another name",
      /^CALLBACK_KEYS: k2 is the same key as k1 of PROOF_KEYS/,
      { ...LIVE, PROOF_KEYS: `k1:${VAULT_KEY}`, CALLBACK_KEYS: `k2:${VAULT_KEY}` },
    ],
    [
      "a key for proofs under two names",
      /^PROOF_KEYS: k2 is the same key as k1 of PROOF_KEYS/,
      { ...LIVE, PROOF_KEYS: `k1:${VAULT_KEY},k2:${VAULT_KEY}` },
    ],
    [
      "a key for the audit log that is one for callbacks",
      /^AUDIT_KEY is the same key as k2 of CALLBACK_KEYS/,
      { ...LIVE, CALLBACK_KEYS: `k2:${AUDIT_KEY.toString("base64")}` },
    ],
    ["a weak metrics token", /^METRICS_TOKEN is shorter/, { ...LIVE, METRICS_TOKEN: "abc" }],
    ["mail from nobody", /^MAIL_FROM is missing/, { ...LIVE, SMTP_URL: "smtps://u:8e1c0dF94b7a@mail.example" }],
    ["mail by no server", /^MAIL_FROM is set without SMTP_URL/, { ...LIVE, MAIL_FROM: "no-reply@service.example" }],
    ["mail by something else", /^SMTP_URL must be a URL/, { ...LIVE, SMTP_URL: "https://mail.example", MAIL_FROM: "a@b.example" }],
    ["a weak mail password", /^SMTP_URL: the password /, { ...LIVE, SMTP_URL: "smtps://u:abc@mail.example", MAIL_FROM: "a@b.example" }],
    ["fixed rates", /^RATE_SOURCE is fixed/, { ...LIVE, RATE_SOURCE: "fixed" }],
    ["an http rate source without settings", /^RATE_HTTP is missing/, { ...LIVE, RATE_HTTP: undefined }],
    [
      "a rate source without https",
      /^RATE_HTTP: the source ecb must be https/,
      withRates({ references: [{ ...RATE_HTTP.references[0], url: "http://ecb.example" }, RATE_HTTP.references[1]] }),
    ],
    ["fewer tickers than must agree", /^RATE_HTTP names fewer tickers than minimum_tickers, 3/, withRates({ minimum_tickers: 3 })],
    [
      "an unknown ticker format",
      /^RATE_HTTP.tickers\[0\].format wants one of coinbase/,
      withRates({ tickers: [{ ...RATE_HTTP.tickers[0], format: "mtgox" }] }),
    ],
    ["a rate source without its key", /^BITSTAMP_KEY is missing/, { ...LIVE, BITSTAMP_KEY: "" }],
    ["rate settings that are no JSON", /^RATE_HTTP is not valid JSON/, { ...LIVE, RATE_HTTP: "{" }],
    ["a simulated fiat rail", /^FIAT_RAIL is simulated/, { ...LIVE, FIAT_RAIL: "simulated" }],
    ["a fiat rail without its address", /^FIAT_RAIL_URL is missing/, { ...LIVE, FIAT_RAIL_URL: undefined }],
    ["a fiat rail without https", /^FIAT_RAIL_URL must be https/, { ...LIVE, FIAT_RAIL_URL: "http://rail.example" }],
    ["a fiat rail without a secret", /^FIAT_RAIL_SECRET is missing/, { ...LIVE, FIAT_RAIL_SECRET: undefined }],
    ["a short rail secret", /^FIAT_RAIL_SECRET is shorter than 32/, { ...LIVE, FIAT_RAIL_SECRET: "p9Xw-tJ4mQz7_vLs2Rk8-cYh6Nd3bFg" }],
    ["a repetitive rail secret", /^FIAT_RAIL_SECRET repeats/, { ...LIVE, FIAT_RAIL_SECRET: "abab".repeat(10) }],
    [
      "a sandbox's rail secret",
      /^FIAT_RAIL_SECRET is a sandbox secret/,
      { ...LIVE, FIAT_RAIL_SECRET: `rail_test_${"p9Xw-tJ4mQz7".repeat(3)}` },
    ],
    [
      "a callback network with the machine itself in it",
      /^CALLBACK_ALLOWED_NETWORKS: 0\.0\.0\.0\/0 holds 127/,
      { ...LIVE, CALLBACK_ALLOWED_NETWORKS: "10.0.0.0/8,0.0.0.0/0" },
    ],
    [
      "several databases at once",
      /^DATABASE_URL must name one host/,
      { ...LIVE, DATABASE_URL: "postgres://u:p,w@a,b/x?sslmode=verify-full" },
    ],
    [
      "several databases at once, with their ports",
      /^DATABASE_URL must name one host/,
      { ...LIVE, DATABASE_URL: "postgres://u:p@a:5432,b:5433/x?target_session_attrs=read-write" },
    ],
    ["a pooler without a way past it", /^DATABASE_DIRECT_URL is missing/, { ...LIVE, DATABASE_POOLER: "transaction" }],
    ["exempt callback hosts", /^CALLBACK_ALLOWED_HOSTS is set/, { ...LIVE, CALLBACK_ALLOWED_HOSTS: "localhost" }],
    ["a development node", /^CHAIN_RPC_URL is set/, { ...LIVE, CHAIN_RPC_URL: "http://127.0.0.1:8545" }],
    ["a made-up past", /^SANDBOX_HISTORY is set/, { ...LIVE, SANDBOX_HISTORY: "30" }],
    ["a development chain", /^CHAINS: eip155:31337 is a development chain/, withChain({ chain: "eip155:31337" })],
    [
      "the sandbox's signer",
      /^CHAINS: eip155:1 has a wallet with the sandbox's signer/,
      withChain({ wallets: [{ signer: "sandbox", key_file: "x" }] }),
    ],
    ["proxies that are everybody", /^TRUSTED_PROXIES: 0\.0\.0\.0\/0 trusts too many/, { ...LIVE, TRUSTED_PROXIES: "10.0.0.1,0.0.0.0/0" }],
    ["proxies that are half of everybody", /^TRUSTED_PROXIES: 128\.0\.0\.0\/1 /, { ...LIVE, TRUSTED_PROXIES: "10.0.0.0/8,128.0.0.0/1" }],
    ["proxies that are most of IPv6", /^TRUSTED_PROXIES: 2000::\/3 /, { ...LIVE, TRUSTED_PROXIES: "2000::/3,fd00::/16" }],
    ["proxies of IPv4 written as IPv6", /^TRUSTED_PROXIES: ::ffff:0:0\/96 /, { ...LIVE, TRUSTED_PROXIES: "::ffff:0:0/96" }],
    ["a database elsewhere without TLS", /^DATABASE_URL: db\.example\.com is another machine/, { ...LIVE, DATABASE_URL: PLAIN_DATABASE }],
    [
      "a database elsewhere whose certificate nobody verifies",
      /^DATABASE_URL: db\.example\.com is another machine/,
      { ...LIVE, DATABASE_URL: `${PLAIN_DATABASE}?sslmode=require` },
    ],
    ["a node in the clear", /^CHAINS: the node rpc\.example of eip155:1 must be https/, withChain({ rpc_urls: ["http://rpc.example"] })],
    [
      "a remote signer in the clear",
      /^CHAINS: the signer 10\.0\.0\.7:9000 of eip155:1 must be https/,
      withChain({ wallets: [{ signer: "remote", url: "http://10.0.0.7:9000", address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }] }),
    ],
    [
      "one confirmation of real money",
      /^CHAINS: eip155:1 calls a payment final after 1 confirmation; give it 12/,
      withChain({ confirmations: 1 }),
    ],
    ["writes without a limit", /^RATE_LIMIT_WRITES_PER_SECOND is 0/, { ...LIVE, RATE_LIMIT_WRITES_PER_SECOND: "0" }],
    ["reads without a limit", /^RATE_LIMIT_READS_PER_SECOND is 0/, { ...LIVE, RATE_LIMIT_READS_PER_SECOND: "0" }],
    ["console calls without a limit", /^CONSOLE_CALLS_PER_SECOND is 0/, { ...LIVE, CONSOLE_CALLS_PER_SECOND: "0" }],
    ["sign-ins without a limit", /^CONSOLE_SIGN_INS_PER_SECOND is 0/, { ...LIVE, CONSOLE_SIGN_INS_PER_SECOND: "0" }],
    ["a drift guard that guards nothing", /^DRIFT_TOLERANCE_BPS is above 1000/, { ...LIVE, DRIFT_TOLERANCE_BPS: "1001" }],
    [
      "a silent log",
      /^LOG_LEVEL is silent: live mode logs errors at least; set error or a level below it\.$/,
      { ...LIVE, LOG_LEVEL: "silent" },
    ],
    ["a log without errors", /^LOG_LEVEL is fatal/, { ...LIVE, LOG_LEVEL: "fatal" }],
    [
      "proxies that are everybody when put together",
      /^TRUSTED_PROXIES: together these ranges trust too many addresses; name your own proxies\.$/,
      { ...LIVE, TRUSTED_PROXIES: Array.from({ length: 256 }, (_, first) => `${first}.0.0.0/8`).join() },
    ],
    [
      "proxies that are a good part of IPv6 when put together",
      /^TRUSTED_PROXIES: together/,
      { ...LIVE, TRUSTED_PROXIES: Array.from({ length: 64 }, (_, first) => `${(0x2000 + first).toString(16)}::/16`).join() },
    ],
    [
      "rates that are an hour old",
      /^RATE_MAX_AGE_SECONDS is above 600: a quote would be priced at a rate that the market has left\.$/,
      { ...LIVE, RATE_MAX_AGE_SECONDS: "3600" },
    ],
    [
      "a price that one ticker says",
      /^RATE_HTTP: minimum_tickers is 1: one source would decide every price; name two or more tickers\.$/,
      withRates({ tickers: [RATE_HTTP.tickers[0]], minimum_tickers: 1 }),
    ],
    [
      "a currency's price that one reference says",
      /^RATE_HTTP: minimum_references is 1: one source would decide every price; name two or more references\.$/,
      withRates({ minimum_references: 1 }),
    ],
    ["one reference", /^RATE_HTTP names fewer references than minimum_references, 2/, withRates({ references: [RATE_HTTP.references[0]] })],
    [
      "two confirmations on Ethereum",
      /^CHAINS: eip155:1 calls a payment final after 2 confirmations; give it 12 or more, or set use_finalized_tag\.$/,
      withChain({ confirmations: 2 }),
    ],
    ["a few confirmations on Polygon", /^CHAINS: eip155:137 .* give it 50 or more/, withChain({ chain: "eip155:137", confirmations: 30 })],
    [
      "traces with a credential in the clear",
      /^OTEL_EXPORTER_OTLP_ENDPOINT must be https: OTEL_EXPORTER_OTLP_HEADERS are sent there; use https or a collector on this machine\.$/,
      { ...LIVE, OTEL_EXPORTER_OTLP_ENDPOINT: "http://traces.example:4318", OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%20x" },
    ],
    [
      "callbacks to SSH",
      /^CALLBACK_PORTS: 22 is a port of another service; name the ports of your partners' receivers\.$/,
      { ...LIVE, CALLBACK_PORTS: "443,22" },
    ],
    ["callbacks to a mail server", /^CALLBACK_PORTS: 25 /, { ...LIVE, CALLBACK_PORTS: "25" }],
    ["callbacks to a store", /^CALLBACK_PORTS: 6379 /, { ...LIVE, CALLBACK_PORTS: "8443,6379" }],
    ["callbacks to a database", /^CALLBACK_PORTS: 5432 /, { ...LIVE, CALLBACK_PORTS: "5432" }],
    ["secrets that are not bound to their rows", /^VAULT_BINDS is 0: .*; remove it\./, { ...LIVE, VAULT_BINDS: "0" }],
    [
      "writes without a limit worth the name",
      /^RATE_LIMIT_WRITES_PER_SECOND is above 10000/,
      { ...LIVE, RATE_LIMIT_WRITES_PER_SECOND: "1000000" },
    ],
    [
      "reads without a limit worth the name",
      /^RATE_LIMIT_READS_PER_SECOND is above 10000/,
      { ...LIVE, RATE_LIMIT_READS_PER_SECOND: "10001" },
    ],
    [
      "console calls without a limit worth the name",
      /^CONSOLE_CALLS_PER_SECOND is above 1000/,
      { ...LIVE, CONSOLE_CALLS_PER_SECOND: "1001" },
    ],
    [
      "sign-ins without a limit worth the name",
      /^CONSOLE_SIGN_INS_PER_SECOND is above 100/,
      { ...LIVE, CONSOLE_SIGN_INS_PER_SECOND: "101" },
    ],
    [
      "a cloud's key service in the clear",
      /^CHAINS: the signer kms.example of eip155:1 must be https/,
      withChain({ wallets: [{ ...KMS, endpoint: "http://kms.example/" }] }),
    ],
    ["a token without its PIN", /^TOKEN_PIN is missing: the PIN of the token hot/, withChain({ wallets: [TOKEN] })],
    [
      "a token whose library is not there",
      /^CHAINS: \/nowhere\.so cannot be read \(ENOENT\)/,
      { ...withChain({ wallets: [{ ...TOKEN, library: "/nowhere.so" }] }), TOKEN_PIN: "4938" },
    ],
    [
      "a token whose library is not told what it needs",
      /^HSM_CONF is missing: the library .* is to be told it/,
      { ...withChain({ wallets: [{ ...TOKEN, library_env: ["HSM_CONF"] }] }), TOKEN_PIN: "4938" },
    ],
    ["a keystore without its password", /^WALLET_PASSWORD is missing/, { ...LIVE, WALLET_PASSWORD: undefined }],
    ["a weak keystore password", /^WALLET_PASSWORD is shorter/, { ...LIVE, WALLET_PASSWORD: "tulip" }],
    [
      "a keystore that is not there",
      /nowhere\.json cannot be read \(ENOENT\)/,
      withChain({ wallets: [{ signer: "keystore", file: "/nowhere.json", password_env: "WALLET_PASSWORD" }] }),
    ],
  ])("refuses %s", (_, sentence, env) => {
    const problems = problemsOf(env);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(sentence);
  });

  test("takes one host for one, whatever the password is made of", () => {
    expect(problemsOf({ ...LIVE, DATABASE_URL: "postgres://settlement:h7Kq-29,fmWx_tR@db.example.com/x?sslmode=verify-full" })).toEqual([]);
  });

  test("trusts what does not leave the machine, and one confirmation where coins are worth nothing or the node's word is final", () => {
    const local = "postgres://settlement:h7Kq-29fmWx_tR@127.0.0.1/settlement";
    expect(problemsOf({ ...LIVE, DATABASE_URL: local })).toEqual([]);
    expect(problemsOf({ ...LIVE, DATABASE_URL: "postgres://settlement@localhost/settlement?host=/var/run/postgresql" })).toEqual([]);
    expect(problemsOf(withChain({ rpc_urls: ["http://127.0.0.1:8545", "http://[::1]:8545", "http://localhost:8545"] }))).toEqual([]);
    expect(problemsOf(withChain({ confirmations: 1, use_finalized_tag: true }))).toEqual([]);
    expect(problemsOf(withChain({ confirmations: 1, chain: "eip155:11155111" }))).toEqual([]);
    expect(problemsOf(withChain({ confirmations: 2, chain: "eip155:43114" }))).toEqual([]);
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%20x" };
    for (const endpoint of ["http://127.0.0.1:4318", "http://localhost:4318", "https://traces.example"])
      expect(problemsOf({ ...LIVE, ...headers, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toEqual([]);
    expect(problemsOf({ ...LIVE, OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.internal:4318" })).toEqual([]);
    const known = { RATE_MAX_AGE_SECONDS: "600", LOG_LEVEL: "error", RATE_LIMIT_WRITES_PER_SECOND: "10000" };
    expect(problemsOf({ ...LIVE, ...known, TRUSTED_PROXIES: "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fd00::/16" })).toEqual([]);
    expect(problemsOf({ ...LIVE, TRUSTED_PROXIES: "10.0.0.0/8,2001:db8::/32,127.0.0.1", DRIFT_TOLERANCE_BPS: "1000" })).toEqual([]);
  });

  test("listens on this machine alone, unless told otherwise", () => {
    expect(readConfig(LIVE).host).toBe("127.0.0.1");
    expect(readConfig({ ...LIVE, HOST: "0.0.0.0" }).host).toBe("0.0.0.0");
  });

  test("accepts random vault keys, all of a thousand", () => {
    for (let round = 0; round < 1_000; round += 1)
      expect(problemsOf({ ...LIVE, VAULT_KEYS: `k:${randomBytes(32).toString("base64")}` })).toEqual([]);
  });

  test("asks a web process for no wallet's password and hands it none", () => {
    const env = { ...LIVE, WALLET_PASSWORD: undefined, RATE_HTTP: undefined };
    expect(problemsOf(env, readConfig)).toEqual([]);
    expect(JSON.stringify(readConfig(LIVE))).not.toContain(LIVE.WALLET_PASSWORD);
  });
});

describe("screening", () => {
  const ORACLE = "0x40C57923924B5c5c5455c48D93317139ADDaC8fb";
  const ONE = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";
  const list = join(folder, "list.txt");
  writeFileSync(list, `# addresses: 1\n${ONE}\n`);
  const withOracle = withChain({ sanctions_oracle: ORACLE, tokens: [{ ...CHAIN.tokens[0], blocklist: "isBlackListed" }] });

  test("live mode does not start where recipients are to be screened and nobody could answer; it is said to be off, or given somebody", () => {
    const nobody = [expect.stringMatching(/^SCREENING is required, and there is nobody to ask: .*sanctions_oracle.*SCREENING_LIST.*off/)];
    expect(problemsOf({ ...LIVE, SCREENING: undefined })).toEqual(nobody);
    expect(problemsOf({ ...LIVE, SCREENING: "required" })).toEqual(nobody);
    expect(readConfig(LIVE).screening).toMatchObject({ isOn: false });
    expect(readConfig({ ...LIVE, SCREENING: undefined, SCREENING_LIST: list }).screening).toMatchObject({
      isOn: true,
      list,
      confirmMs: 1_000,
    });
    expect(readConfig({ ...withOracle, SCREENING: undefined }).screening).toEqual({
      isOn: true,
      list: null,
      oracles: { "eip155:1": ORACLE },
      blocklists: [{ chain: "eip155:1", token: CHAIN.tokens[0]?.address, question: "isBlackListed" }],
      confirmMs: 1_000,
    });
  });

  test("an issuer's blocklist is nobody who could clear a recipient", () => {
    const alone = withChain({ tokens: [{ ...CHAIN.tokens[0], blocklist: "isBlackListed" }] });
    expect(problemsOf({ ...alone, SCREENING: "required" })).toHaveLength(1);
  });

  test("the sandbox screens where it is given somebody to ask", () => {
    expect(readConfig(SANDBOX).screening.isOn).toBe(false);
    expect(readConfig({ ...SANDBOX, SCREENING_LIST: list }).screening.isOn).toBe(true);
    expect(readConfig({ ...SANDBOX, SCREENING_LIST: list, SCREENING: "off" }).screening.isOn).toBe(false);
  });

  test("faults are told with their place", () => {
    const half = join(folder, "half.txt");
    writeFileSync(half, `# addresses: 2\n${ONE}\n`);
    const problems = (change: object) => problemsOf({ ...LIVE, ...change });
    expect(problems({ SCREENING_LIST: half })).toEqual([`SCREENING_LIST: ${half} is not whole: it holds 1 addresses and says 2.`]);
    expect(problems({ SCREENING_LIST: "/nowhere" })).toEqual(["SCREENING_LIST: /nowhere cannot be read (ENOENT)."]);
    expect(problems({ SCREENING: "no" })).toContain("SCREENING must be required or off.");
    expect(problems({ SCREENING_CONFIRM_MS: "0" })).toEqual(["SCREENING_CONFIRM_MS must be a whole number from 50 to 5000."]);
    expect(problemsOf(withChain({ sanctions_oracle: "0x1" }))).toContain(
      "CHAINS[0].sanctions_oracle wants an address of 0x and 40 hexadecimal digits.",
    );
    expect(problemsOf(withChain({ tokens: [{ ...CHAIN.tokens[0], blocklist: "isBad" }] }))).toContain(
      "CHAINS[0].tokens[0].blocklist wants isBlackListed, isBlacklisted, isBlocked or none.",
    );
  });
});
