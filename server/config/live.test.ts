import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { AUDIT_KEY, KMS, LIVE, PLAIN_DATABASE, problemsOf, RATE_HTTP, TOKEN, VAULT_KEY, withChain, withRates } from "#testing/settings.ts";

const ORDER_SECRET = "y4Ts-bH8kPw3_nMd6Rf2-eQj9Lc7vXa5";

const SOLANA = {
  chain: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
  name: "Solana",
  rpc_urls: ["https://sol.example/"],
  tokens: [{ currency: "USDC", address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", decimals: 6 }],
  wallets: JSON.parse(LIVE.CHAINS)[0].wallets,
};

/** With a second provider that only finishes its orders. */
function withFormer(change: object) {
  const former = { name: "before", secret: "q8Xw-tJ4mQz7_vLs2Rk8-cYh6Nd3bFg2", order_secret: ORDER_SECRET, url: "https://before.example" };
  return { ...LIVE, FIAT_RAIL_FORMER: JSON.stringify([{ ...former, ...change }]) };
}

describe("live mode", () => {
  test.each<[string, RegExp, Record<string, string | undefined>]>([
    ["a BASE_URL without https", /^BASE_URL must be https/, { ...LIVE, BASE_URL: "http://api.example.com" }],
    [
      "a database without a password",
      /^DATABASE_URL has neither a password nor a client's certificate/,
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
    ["a former provider without https", /^FIAT_RAIL_FORMER: the url of before must be https/, withFormer({ url: "http://before.example" })],
    [
      "a former provider with a short secret",
      /^FIAT_RAIL_FORMER: the secret of before is shorter than 32/,
      withFormer({ secret: "short" }),
    ],
    ["a fiat rail without what signs orders", /^FIAT_RAIL_ORDER_SECRET is missing/, { ...LIVE, FIAT_RAIL_ORDER_SECRET: undefined }],
    [
      "one secret that signs orders and checks callbacks",
      /^FIAT_RAIL_ORDER_SECRET also checks callbacks/,
      { ...LIVE, FIAT_RAIL_ORDER_SECRET: LIVE.FIAT_RAIL_SECRET },
    ],
    ["a short secret for orders", /^FIAT_RAIL_ORDER_SECRET is shorter than 32/, { ...LIVE, FIAT_RAIL_ORDER_SECRET: "short" }],
    ["a former provider without a secret for orders", /the order_secret of before is missing/, withFormer({ order_secret: undefined })],
    [
      "a former provider with one secret for both",
      /the order_secret of before also checks callbacks/,
      withFormer({ order_secret: "q8Xw-tJ4mQz7_vLs2Rk8-cYh6Nd3bFg2" }),
    ],
    ["a former provider without its address", /the url of before is missing/, withFormer({ url: undefined })],
    [
      "a former provider with the present one's secret",
      /^FIAT_RAIL_FORMER uses a secret twice/,
      withFormer({ secret: LIVE.FIAT_RAIL_SECRET }),
    ],
    ["a former provider with the present one's name", /^FIAT_RAIL_FORMER uses a name twice/, withFormer({ name: "fiat" })],
    ["a former provider that is no JSON", /^FIAT_RAIL_FORMER must be a JSON list/, { ...LIVE, FIAT_RAIL_FORMER: "before" }],
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
    ["local networks", /^SANDBOX_CHAINS is set/, { ...LIVE, SANDBOX_CHAINS: "evm, solana" }],
    ["a made-up past", /^SANDBOX_HISTORY is set/, { ...LIVE, SANDBOX_HISTORY: "30" }],
    ["a development chain", /^CHAINS: eip155:31337 is a development chain/, withChain({ chain: "eip155:31337" })],
    [
      "the sandbox's signer",
      /^CHAINS: eip155:1 has a wallet with the sandbox's signer/,
      withChain({ wallets: [{ signer: "sandbox", key_file: "x" }] }),
    ],
    [
      "a network that nothing was tried on",
      /^CHAINS: solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp has no canary/,
      { ...LIVE, CHAINS: JSON.stringify([...JSON.parse(LIVE.CHAINS), SOLANA]) },
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
      "a remote signer that anyone may ask",
      /^CHAINS: the signer signer\.example of eip155:1 signs for anyone who reaches it; set client_certificate\.$/,
      withChain({ wallets: [{ signer: "remote", url: "https://signer.example", address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }] }),
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
    ["secrets that are not bound to their rows", /^VAULT_BINDS is 0: .*; remove it\.$/, { ...LIVE, VAULT_BINDS: "0" }],
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
      "a token whose library lacks a setting",
      /^HSM_CONF is missing: the library .* needs it/,
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

  test("takes the log-in of the process to a database that is only named, and wants one where the process has none", () => {
    const own = "postgres://settlement:h7Kq-29fmWx_tR@127.0.0.1:6432/settlement";
    const places = { DATABASE_DIRECT_URL: "postgres://127.0.0.1/settlement", DATABASE_READ_URL: "postgres://127.0.0.1:5433/settlement" };
    const { DATABASE_URL: _, ...rest } = { ...LIVE, ...places, DATABASE_POOLER: "transaction" };
    expect(problemsOf({ ...rest, WEB_DATABASE_URL: own, WORKER_DATABASE_URL: own, SIGNER_DATABASE_URL: own })).toEqual([]);
    expect(problemsOf({ ...rest, DATABASE_URL: own })).toEqual([
      "DATABASE_DIRECT_URL has neither a password nor a client's certificate (sslcert, sslkey).",
      "DATABASE_READ_URL has neither a password nor a client's certificate (sslcert, sslkey).",
    ]);
  });
});
