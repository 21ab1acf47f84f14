import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import postgres from "postgres";
import { getAddress } from "viem";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { PROCESS_KINDS, serviceLogin } from "#db/application-role.ts";
import { publicHalfOf } from "#domain/audit-key.ts";
import { tronOfHex } from "#domain/tron-address.ts";
import { findFreePort } from "#sandbox/free-port.ts";
import { signerEnvironment } from "#server/process/environment.ts";
import { TEST_CERTIFICATE } from "#testing/certificate.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { firstOperatorKey, firstPartner, type LiveService, settle } from "#testing/live-partner.ts";
import {
  callOverTls,
  createOwnedDatabase,
  type Environment,
  type Listening,
  runScript,
  serveProxy,
  serveRates,
  startScript,
} from "#testing/live-stage.ts";
import type { Program } from "#testing/stage/child.ts";

/** docs/runbooks/start-live.md from the beginning: only by commands and HTTP, against a chain that is not a development chain. */

const CHAIN_ID = 424_242;
const CHAIN = `eip155:${CHAIN_ID}`;
const LONG = 300_000;
const folder = mkdtempSync(join(tmpdir(), "settlement-live-"));
const opened: Program[] = [];
let chain: TestChain;
let database: Awaited<ReturnType<typeof createOwnedDatabase>>;
let rates: Listening;
let proxy: Listening;
let port: number;
let env: Environment;

beforeAll(async () => {
  chain = await startTestChain({ blockTimeSeconds: 1 });
  database = await createOwnedDatabase(inject("testServer").adminUrl);
  rates = await serveRates();
  port = await findFreePort();
  proxy = await serveProxy(() => port);
  writeFileSync(join(folder, "ca.pem"), TEST_CERTIFICATE);
});
afterAll(async () => {
  for (const { child, exit } of opened) {
    child.kill("SIGTERM");
    await exit;
  }
  proxy.close();
  rates.close();
  await database.drop();
  await chain.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A web process signs nothing and reads no rates: it starts without the wallet's password and the rate source's file. */
const webEnv = (): Environment => {
  const {
    TREASURY_PASSWORD: _password,
    RATE_HTTP_FILE: _file,
    WORKER_DATABASE_URL: _login,
    AUDIT_KEY: key = "",
    FIAT_RAIL_ORDER_SECRET: _orders,
    SIGNER_DATABASE_URL: _reader,
    SIGNING_JOURNAL: _journal,
    ...rest
  } = env;
  return { ...rest, AUDIT_PUBLIC_KEY: publicHalfOf(Buffer.from(key, "base64")).toString("base64") };
};
/** A worker has nothing that opens a key: the signer has. */
const workerEnv = (): Environment => {
  const { TREASURY_PASSWORD: _password, SIGNER_DATABASE_URL: _login, SIGNING_JOURNAL: _journal, ...rest } = env;
  return { ...rest, SIGNER_SOCKET: join(folder, "socket", "signer.sock") };
};
const secret = () => randomBytes(32).toString("base64url");
const json = (text: string) => JSON.parse(text);

/** The connections with such a name. */
async function loginsOf(applicationName: string): Promise<string[]> {
  const owner = postgres(database.url, { max: 1, onnotice: () => {} });
  const rows = await owner<
    { usename: string }[]
  >`select distinct usename from pg_stat_activity where application_name like ${applicationName}`;
  await owner.end();
  return rows.map(({ usename }) => usename);
}

/** Every line that a process of live mode prints is for a log collector. */
function expectJsonLines(output: string): void {
  for (const line of output.trim().split("\n")) expect(() => JSON.parse(line), line).not.toThrow();
}

async function untilSaid(program: Program, text: string): Promise<void> {
  const ended = program.exit.then((code) => {
    throw new Error(`ended with ${code}: ${program.output()}`);
  });
  await Promise.race([ended, expect.poll(() => program.output(), { timeout: LONG }).toContain(text)]);
}

describe("the runbook for live mode", () => {
  it(
    "makes a keystore that no one can overwrite, with a password that is not a well-known one",
    async () => {
      const file = join(folder, "treasury.json");
      const weak = runScript("scripts/create-keystore.ts", [file], { KEYSTORE_PASSWORD: "password" });
      expect(weak).toMatchObject({ status: 1, stderr: expect.stringMatching(/^KEYSTORE_PASSWORD is shorter/) });
      const password = secret();
      const made = runScript("scripts/create-keystore.ts", [file], { KEYSTORE_PASSWORD: password });
      expect(made.status, made.stderr).toBe(0);
      const treasury = getAddress(json(made.stdout).address);
      // The same key on the other families, in their own forms.
      const solana = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
      expect(json(made.stdout)).toMatchObject({ tron: tronOfHex(treasury), solana });
      await chain.fund(treasury, { ether: 10, tokens: 1_000_000 });
      await chain.call("anvil_setChainId", CHAIN_ID);
      expect(runScript("scripts/create-keystore.ts", [file], { KEYSTORE_PASSWORD: password })).toMatchObject({ status: 1 });
      env = settings(password);
    },
    LONG,
  );

  it(
    "names each thing that is wrong with the database before anything else",
    async () => {
      const start = (url: string) => runScript("scripts/migrate.ts", [], { DATABASE_URL: url }).stderr;
      const changed = (change: (url: URL) => void) => {
        const url = new URL(database.url);
        change(url);
        return url.href;
      };
      expect(
        start(
          changed((url) => {
            url.port = "9";
          }),
        ),
      ).toMatch(/does not answer .*: start it/);
      expect(
        start(
          changed((url) => {
            url.password = "wrong";
          }),
        ),
      ).toMatch(/refuses the log-in of .*: correct its user or password/);
      expect(
        start(
          changed((url) => {
            url.pathname = "/nowhere";
          }),
        ),
      ).toMatch(/has no such database .*: create it/);
      expect(
        start(
          changed((url) => {
            url.username = "nobody_here";
          }),
        ),
      ).toMatch(/refuses the log-in/);
      for (const [script, environment] of [["server/http/main.ts", webEnv()] as const, ["server/worker/main.ts", workerEnv()] as const]) {
        const early = runScript(script, [], environment);
        expect(early).toMatchObject({ status: 1, stderr: expect.stringContaining("It has no schema yet. Run `npm run migrate`.") });
      }
    },
    LONG,
  );

  it(
    "migrates apart, and only as the owner; the service then works as somebody else",
    async () => {
      const migrated = runScript("scripts/migrate.ts", [], { MIGRATION_DATABASE_URL: database.url });
      expect(migrated, migrated.stderr).toMatchObject({ status: 0 });
      const owner = postgres(database.url, { max: 1, onnotice: () => {} });
      const addLogin = async (kind: "web" | "worker" | "signer") => {
        const url = new URL(database.url);
        const password = secret();
        await owner.unsafe(`create role ${url.username}_${kind}_service login password '${password}' in role ${url.username}_${kind}`);
        Object.assign(url, { username: `${url.username}_${kind}_service`, password });
        return url.href;
      };
      const logins = {
        WEB_DATABASE_URL: await addLogin("web"),
        WORKER_DATABASE_URL: await addLogin("worker"),
        SIGNER_DATABASE_URL: await addLogin("signer"),
      };
      await owner.end();
      const { DATABASE_URL: _owners, ...rest } = env;
      env = { ...rest, ...logins };
      expect(runScript("scripts/migrate.ts", [], { DATABASE_URL: logins.WEB_DATABASE_URL })).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/must own the database/),
      });
      // Started separately, they get no log-in of their own: the owner's is refused.
      for (const [script, environment] of [["server/http/main.ts", webEnv()] as const, ["server/worker/main.ts", workerEnv()] as const])
        expect(
          runScript(script, [], { ...environment, WEB_DATABASE_URL: database.url, WORKER_DATABASE_URL: "", DATABASE_URL: database.url }),
        ).toMatchObject({
          status: 1,
          stderr: expect.stringContaining("which may become the owner of the tables"),
        });
      // Nor the other process's.
      const swapped = { WEB_DATABASE_URL: logins.WORKER_DATABASE_URL, WORKER_DATABASE_URL: logins.WEB_DATABASE_URL };
      const { WORKER_DATABASE_URL: _worker, ...web } = { ...webEnv(), ...swapped };
      for (const [script, given] of [
        ["server/http/main.ts", web] as const,
        ["server/worker/main.ts", { ...workerEnv(), ...swapped }] as const,
      ])
        expect(runScript(script, [], given)).toMatchObject({
          status: 1,
          stderr: expect.stringMatching(/may not work as its process \(permission denied to set role/),
        });
    },
    LONG,
  );

  it(
    "gives pairs their first terms from a file, the whole of it or nothing, and leaves alone what has terms",
    async () => {
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
      const pair = { source_currency: "KES", destination_currency: "USDT", chain: CHAIN, terms };
      const file = join(folder, "terms.json");
      writeFileSync(file, JSON.stringify([pair, { ...pair, destination_currency: "DAI" }]));
      expect(runScript("scripts/set-terms.ts", [file], webEnv())).toMatchObject({
        status: 1,
        stderr: expect.stringContaining("not that token"),
      });
      writeFileSync(file, JSON.stringify([pair]));
      const set = runScript("scripts/set-terms.ts", [file], webEnv());
      expect(set, set.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining(`KES/USDT on ${CHAIN}: set\n`) });
      expect(runScript("scripts/set-terms.ts", [file], webEnv()).stdout).toContain("kept");
      const unsigned = runScript("scripts/unsigned-rules.ts", [], webEnv());
      expect(unsigned, unsigned.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("one approval above 1000000,") });
      const { ACCEPTED_RULES = "" } = parseEnv(unsigned.stdout);
      env = { ...env, ACCEPTED_RULES };
      expect(ACCEPTED_RULES).toMatch(/^[\w-]{43}$/);
    },
    LONG,
  );

  it(
    "starts, is ready, and pays a settlement on the chain; all it prints is JSON",
    async () => {
      // With only the owner's log-in, it creates one for each.
      const service = startScript("scripts/start.ts", {
        ...env,
        WEB_DATABASE_URL: "",
        WORKER_DATABASE_URL: "",
        SIGNER_DATABASE_URL: "",
        DATABASE_URL: database.url,
      });
      opened.push(service);
      await untilSaid(service, "Ready on port");
      expect(service.output()).toContain(`Treasury wallets: ${CHAIN} keystore`);
      await untilSaid(service, "a treasury wallet's signer is ready");
      const own = PROCESS_KINDS.map((kind) => serviceLogin(new URL(database.url).pathname.slice(1), kind));
      await expect.poll(async () => (await loginsOf("settlement-%")).toSorted(), { timeout: LONG }).toEqual(own.toSorted());
      const ready = async () => (await callOverTls(proxy.origin, "GET", "/ready", {})).status;
      await expect.poll(ready, { timeout: LONG, interval: 500 }).toBe(200);

      const live: LiveService = {
        origin: proxy.origin,
        ownerUrl: database.url,
        command: (name, args) => runScript(`scripts/${name}.ts`, args, webEnv()),
      };
      const asOperator = await firstOperatorKey(live);
      const key = await firstPartner(live, asOperator);
      await settle(live, key, { chain: CHAIN, reference: "order-1" });

      const examined = runScript("scripts/doctor.ts", ["--json"], webEnv());
      const levels = (JSON.parse(examined.stdout) as { subject: string; level: string }[]).map(
        ({ subject, level }) => `${subject}: ${level}`,
      );
      for (const well of ["version", "clock", "database", "worker", "transfers", "treasury"]) expect(levels).toContain(`${well}: ok`);
      expect(levels).toContainEqual(expect.stringMatching(new RegExp(`of ${CHAIN}: ok$`)));
      // No certificate, archive or standby belongs to this test.
      expect(levels.filter((line) => /^(certificate|archive|replication)/.test(line))).toHaveLength(3);

      const { WEB_DATABASE_URL = "" } = webEnv();
      const away = new URL(WEB_DATABASE_URL || (webEnv().DATABASE_URL ?? ""));
      away.port = "1";
      const without = runScript("scripts/doctor.ts", [], { ...webEnv(), WEB_DATABASE_URL: "", DATABASE_URL: away.href });
      expect(without, without.stderr).toMatchObject({ status: 2, stdout: expect.stringMatching(/✗ database: .*✓ [^\n]* of eip155:/s) });

      service.child.kill("SIGTERM");
      expect(await service.exit, service.output()).toBe(0);
      expectJsonLines(service.output());
      for (const hidden of [
        env.TREASURY_PASSWORD,
        env.FIAT_RAIL_SECRET,
        env.FIAT_RAIL_ORDER_SECRET,
        key.apiSecret,
        asOperator.apiKey,
        asOperator.apiSecret,
      ])
        expect(service.output()).not.toContain(hidden);
    },
    LONG,
  );

  it(
    "web, worker and signer can be started apart, and a taken port is reported in JSON too",
    async () => {
      expect(runScript("server/http/main.ts", [], env)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining("TREASURY_PASSWORD is set: a web process signs nothing"),
      });
      const web = startScript("server/http/main.ts", webEnv());
      expect(runScript("server/worker/main.ts", [], env).stderr).toMatch(
        /TREASURY_PASSWORD is set: only the signer.*SIGNER_SOCKET is missing|SIGNER_SOCKET is missing.*TREASURY_PASSWORD is set: only the signer/s,
      );
      mkdirSync(join(folder, "socket"), { mode: 0o700 });
      const { SIGNER_SOCKET: socket } = workerEnv();
      const signerEnv = signerEnvironment({ ...env, NODE_ENV: "production", SIGNER_SOCKET: socket }) as Environment;
      // A log-in that can write ends the signer.
      const writer = runScript("server/signer/main.ts", [], { ...signerEnv, DATABASE_URL: env.WORKER_DATABASE_URL ?? "" });
      expect(writer).toMatchObject({ status: 1, stderr: expect.stringMatching(/may not work as its process|is no member of its role/) });
      const login = new URL(signerEnv.DATABASE_URL ?? "").username;
      const owner = postgres(database.url, { max: 1, onnotice: () => {} });
      await owner`grant update (address) on wallets to ${owner(login)}`;
      const more = runScript("server/signer/main.ts", [], signerEnv);
      expect(more).toMatchObject({ status: 1, stderr: expect.stringContaining("which can write: wallets. The signer only reads.") });
      await owner`revoke update (address) on wallets from ${owner(login)}`;
      await owner.end();
      const signer = startScript("server/signer/main.ts", signerEnv);
      const worker = startScript("server/worker/main.ts", workerEnv());
      opened.push(web, worker, signer);
      await Promise.all([
        untilSaid(web, '"message":"listening"'),
        untilSaid(worker, "the worker is ready"),
        untilSaid(signer, "a treasury wallet's signer is ready"),
      ]);
      const second = startScript("scripts/start.ts", env);
      opened.push(second);
      expect(await second.exit).toBe(1);
      expect(second.output()).toContain(`Port ${port} is in use`);
      expectJsonLines(second.output());
      for (const { child } of [web, worker, signer]) child.kill("SIGTERM");
      for (const program of [web, worker, signer]) {
        expect(await program.exit, program.output()).toBe(0);
        expectJsonLines(program.output());
      }
    },
    LONG,
  );
});

function settings(password: string): Environment {
  const one = {
    chain: CHAIN,
    name: "Walk",
    rpc_urls: [chain.rpcUrl],
    confirmations: 2,
    native: { currency: "ETH", decimals: 18 },
    tokens: [{ currency: "USDT", address: chain.tokens.USDT, decimals: 6 }],
    wallets: [{ signer: "keystore", file: "treasury.json", password_env: "TREASURY_PASSWORD" }],
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
  writeFileSync(join(folder, "chains.json"), JSON.stringify([one]));
  writeFileSync(join(folder, "rates.json"), JSON.stringify(sources));
  writeFileSync(join(folder, "list.txt"), "# addresses: 1\n0x098B716B8Aaf21512996dC57EB0615e2383E2f96\n");
  expect(readFileSync(join(folder, "treasury.json"), "utf8")).not.toContain(password);
  return {
    MODE: "live",
    PORT: String(port),
    HOST: "127.0.0.1",
    DATABASE_URL: database.url,
    BASE_URL: proxy.origin,
    TRUSTED_PROXIES: "127.0.0.1",
    CHAINS_FILE: join(folder, "chains.json"),
    TREASURY_PASSWORD: password,
    AUDIT_KEY: randomBytes(32).toString("base64"),
    SIGNING_JOURNAL: join(folder, "signing-journal.log"),
    VAULT_KEYS: `2026-11:${randomBytes(32).toString("base64")}`,
    RATE_SOURCE: "http",
    RATE_HTTP_FILE: join(folder, "rates.json"),
    FIAT_RAIL: "http",
    FIAT_RAIL_SECRET: secret(),
    FIAT_RAIL_ORDER_SECRET: secret(),
    FIAT_RAIL_URL: `${rates.origin}/rail`,
    SCREENING_LIST: join(folder, "list.txt"),
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
  };
}
