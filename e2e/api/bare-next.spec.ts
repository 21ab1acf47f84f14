import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { createSettlementOperation, getSettlementOperation } from "#contract/settlement/v1/operations.ts";
import { exchange } from "#sandbox/client/exchange.ts";
import { signedHeaders } from "#sandbox/client/signing.ts";
import { findFreePort } from "#sandbox/free-port.ts";
import { readKept } from "#sandbox/kept.ts";
import { findRunningSandbox } from "#sandbox/running.ts";
import { gather } from "#testing/stage/child.ts";
import { read } from "../support/answers.ts";
import { partner } from "../support/client.ts";
import { sandbox } from "../support/running-sandbox.ts";
import { createBody, SETTLEMENTS } from "../support/settlements.ts";
import { draft, withHeader } from "../support/signed.ts";

/** The build under only `next start`, on the sandbox's own database: the surfaces answer without the front door. */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
let next: ChildProcess;
let url: string;

test.beforeAll(async () => {
  const directory = dirname(process.env.SANDBOX_FILE ?? "");
  const { databaseUrl, chains } = findRunningSandbox({ ...process.env, DATA_DIR: directory });
  const { vaultKeys, railSecret } = readKept(directory);
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    NODE_ENV: "production" as const,
    MODE: "sandbox",
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: directory,
    DATABASE_URL: databaseUrl,
    VAULT_KEYS: vaultKeys,
    RATE_SOURCE: "fixed",
    FIAT_RAIL: "simulated",
    FIAT_RAIL_SECRET: railSecret,
    CHAINS: JSON.stringify(chains.map(({ rpcUrls, chain, name, ...rest }) => ({ ...rest, chain, name, rpc_urls: rpcUrls }))),
  };
  const cli = join(ROOT, "node_modules", "next", "dist", "bin", "next");
  next = spawn(process.execPath, [cli, "start", "-H", "127.0.0.1", "-p", String(port)], { cwd: ROOT, env });
  const { output } = gather(next);
  const status = () => exchange(url, { method: "GET", target: "/health", headers: [] }).then((answer) => answer.status, String);
  await expect.poll(async () => (next.exitCode === null ? await status() : output()), { timeout: 120_000 }).toBe(200);
});
test.afterAll(async () => {
  if (next.exitCode !== null) return;
  const ended = once(next, "close");
  next.kill("SIGTERM");
  await ended;
});

test("a signed create is answered, and what it made is the service's", async () => {
  const request = { method: "POST", target: SETTLEMENTS, body: JSON.stringify(createBody()) };
  const send = () => exchange(url, { ...request, headers: signedHeaders(sandbox.partner, request) });
  let answer = await send();
  // The first request loads the code of its route. On a busy machine that takes longer than a request may, and its client tries again.
  for (let tries = 1; answer.status === 503 && tries < 5; tries += 1) answer = await send();
  const made = read(createSettlementOperation, answer);
  expect(read(getSettlementOperation, await partner.get(`${SETTLEMENTS}/${made.tx_id}`)).tx_id).toBe(made.tx_id);
});

test("a signature that does not match is refused, and nothing is made", async () => {
  const refused = await exchange(url, withHeader(draft(), "X-Service-Signature", "0".repeat(64)));
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([401, { code: "signature_mismatch" }]);
});

test("the documents are served, with its own address", async () => {
  for (const file of ["settlement.json", "partner.json"]) {
    const answer = await exchange(url, { method: "GET", target: `/openapi/${file}`, headers: [] });
    expect(answer.status, file).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), servers: [{ url }] });
  }
});
