import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseEnv } from "node:util";
import postgres from "postgres";
import { getAddress } from "viem";
import { publicHalfOf } from "#domain/audit-key.ts";
import { TEST_CERTIFICATE } from "#testing/certificate.ts";
import type { TestChain } from "#testing/chain.ts";
import { callOverTls, type Listening, serveProxy } from "#testing/live-stage.ts";
import type { Inside } from "./machine.ts";

/** The environment of the package under test, and its set-up, only with its own commands and files. */

export const CHAIN_ID = 424_242;
export const CHAIN = `eip155:${CHAIN_ID}`;
export const SETTINGS = "/etc/settlement-service";
const KEYSTORE = "/var/lib/settlement-service/keys/treasury.json";

/** A proxy that sends requests to web processes whose `/health` is 200, as a load balancer does. */
export async function balance(ports: readonly number[]): Promise<Listening> {
  let alive: number[] = [];
  let turn = 0;
  const look = setInterval(async () => {
    const looked = ports.map(async (port) => {
      const reply = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
      return reply?.status === 200 ? [port] : [];
    });
    alive = (await Promise.all(looked)).flat();
  }, 250);
  const proxy = await serveProxy(() => alive[turn++ % alive.length] ?? ports[0] ?? 0);
  const close = () => {
    clearInterval(look);
    proxy.close();
  };
  return { origin: proxy.origin, close };
}

/** A client that sends requests until it is stopped. */
function keepAsking(origin: string): () => Promise<{ answered: number; failed: string[] }> {
  const failed: string[] = [];
  let answered = 0;
  let stopped = false;
  const asking = (async () => {
    for (; !stopped; await sleep(20)) {
      const status = await callOverTls(origin, "GET", "/time", {}).then(
        (reply) => reply.status,
        (error: unknown) => String(error),
      );
      if (status === 200) answered += 1;
      else failed.push(String(status));
    }
  })();
  return async () => {
    stopped = true;
    await asking;
    return { answered, failed };
  };
}

/** Does the work while a client sends requests without a pause. @throws Error where one of its requests was not answered */
export async function unbroken(origin: string, work: () => Promise<unknown>): Promise<void> {
  const stop = keepAsking(origin);
  const ended = await Promise.allSettled([work()]);
  const { answered, failed } = await stop();
  if (ended[0].status === "rejected") throw ended[0].reason;
  if (answered <= 20 || failed.length > 0) throw new Error(`${answered} requests were answered, and failed: ${failed.join(", ")}`);
}

const secret = () => randomBytes(32).toString("base64url");
const lines = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");

/** `secretFiles`: secrets are in their own files, which systemd passes on. */
type Around = { ownerUrl: string; chain: TestChain; rates: Listening; origin: string; secretFiles: boolean };

/** docs/runbooks/packages.md, in its order. Returns the secrets of worker and signer. */
export async function setUp(machine: Inside, { ownerUrl, chain, rates, origin, secretFiles }: Around): Promise<string[]> {
  // As on every server; a tree that was laid out without an installer has none.
  await machine.write("/etc/hosts", "127.0.0.1 localhost\n", "0644", "root:root");
  const password = secret();
  const auditKey = randomBytes(32);
  const made = await machine.run(["settlement-service", "create-keystore", KEYSTORE], { env: { KEYSTORE_PASSWORD: password } });
  await chain.fund(getAddress(JSON.parse(made).address), { ether: 10, tokens: 1_000_000 });
  await machine.write(`${SETTINGS}/migrate.env`, lines({ MIGRATION_DATABASE_URL: ownerUrl }), "0600", "root:root");
  await machine.run(["settlement-service", "migrate"]);
  for (const [name, content] of Object.entries(filesOf(chain, rates))) await machine.write(`${SETTINGS}/${name}`, content, "0640");
  const service = {
    MODE: "live",
    BASE_URL: origin,
    TRUSTED_PROXIES: "127.0.0.1",
    CHAINS_FILE: `${SETTINGS}/chains.json`,
    VAULT_KEYS: `2026-11:${randomBytes(32).toString("base64")}`,
    RATE_SOURCE: "http",
    FIAT_RAIL: "http",
    FIAT_RAIL_SECRET: secret(),
    SCREENING_LIST: `${SETTINGS}/list.txt`,
    NODE_EXTRA_CA_CERTS: `${SETTINGS}/ca.pem`,
    DRAIN_SECONDS: "2",
  };
  const logins = await serviceLogins(ownerUrl);
  const worker = {
    WORKER_DATABASE_URL: logins.worker,
    AUDIT_KEY: auditKey.toString("base64"),
    FIAT_RAIL_ORDER_SECRET: secret(),
    FIAT_RAIL_URL: `${rates.origin}/rail`,
    RATE_HTTP_FILE: `${SETTINGS}/rates.json`,
  };
  await writeSettings(machine, "service", service, secretFiles);
  const web = { WEB_DATABASE_URL: logins.web, AUDIT_PUBLIC_KEY: publicHalfOf(auditKey).toString("base64") };
  await machine.write(`${SETTINGS}/web.env`, lines(web), "0600", "root:root");
  await writeSettings(machine, "worker", worker, secretFiles);
  await machine.run(["settlement-service", "set-terms", `${SETTINGS}/terms.json`]);
  const { ACCEPTED_RULES = "" } = parseEnv(await machine.run(["settlement-service", "unsigned-rules"]));
  const signer = { SIGNER_DATABASE_URL: logins.signer, TREASURY_PASSWORD: password, ACCEPTED_RULES };
  await writeSettings(machine, "signer", signer, secretFiles);
  return [worker.AUDIT_KEY, password];
}

const SECRETS = ["VAULT_KEYS", "AUDIT_KEY", "TREASURY_PASSWORD"];

async function writeSettings(
  machine: Inside,
  name: string,
  settings: Readonly<Record<string, string>>,
  secretFiles: boolean,
): Promise<void> {
  const all = Object.entries(settings);
  const apart = secretFiles ? all.filter(([one]) => SECRETS.includes(one)) : [];
  const plain = all.filter(([one]) => !apart.some(([other]) => other === one));
  await machine.write(`${SETTINGS}/${name}.env`, lines(Object.fromEntries(plain)), "0600", "root:root");
  for (const [one, value] of apart) await machine.write(`${SETTINGS}/secrets/${name}/${one}`, `${value}\n`, "0600", "root:root");
}

/** docs/runbooks/log-ins.md: those of web, worker and signer, which own nothing. */
async function serviceLogins(ownerUrl: string): Promise<{ web: string; worker: string; signer: string }> {
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  const make = async (kind: "web" | "worker" | "signer") => {
    const url = new URL(ownerUrl);
    const role = `${url.username}_${kind}`;
    const password = secret();
    await owner.unsafe(`create role ${role}_login login password '${password}' in role ${role}`);
    Object.assign(url, { username: `${role}_login`, password });
    return url.href;
  };
  const logins = { web: await make("web"), worker: await make("worker"), signer: await make("signer") };
  await owner.end();
  return logins;
}

function filesOf(chain: TestChain, rates: Listening): Record<string, string> {
  const one = {
    chain: CHAIN,
    name: "Walk",
    rpc_urls: [chain.rpcUrl],
    confirmations: 2,
    native: { currency: "ETH", decimals: 18 },
    tokens: [{ currency: "USDT", address: chain.tokens.USDT, decimals: 6 }],
    wallets: [{ signer: "keystore", file: KEYSTORE, password_env: "TREASURY_PASSWORD" }],
  };
  const sources = {
    tickers: [
      { name: "kraken", format: "kraken", url: `${rates.origin}/kraken` },
      { name: "binance", format: "binance", url: `${rates.origin}/binance` },
    ],
    references: [
      { name: "reference", format: "base_rates", url: `${rates.origin}/reference` },
      { name: "second-reference", format: "base_rates", url: `${rates.origin}/reference` },
    ],
  };
  const terms = {
    enabled: true,
    spread_bps: 75,
    platform_fee: "0.5",
    minimum_source_amount: "100",
    maximum_source_amount: "1000000",
    two_approvals_above_amount: "5000000",
    quote_lifetime_seconds: 300,
    approved_lifetime_seconds: 1800,
  };
  return {
    "chains.json": JSON.stringify([one]),
    "rates.json": JSON.stringify(sources),
    "terms.json": JSON.stringify([{ source_currency: "KES", destination_currency: "USDT", chain: CHAIN, terms }]),
    "list.txt": "# addresses: 1\n0x098B716B8Aaf21512996dC57EB0615e2383E2f96\n",
    "ca.pem": TEST_CERTIFICATE,
  };
}
