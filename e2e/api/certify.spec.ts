import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { BROKEN_BATCH_CLIENTS } from "#cli/certify/broken/batch-client.ts";
import { BROKEN_CLIENTS } from "#cli/certify/broken/client.ts";
import { BROKEN_FIAT_CLIENTS } from "#cli/certify/broken/fiat-client.ts";
import { certifyClient } from "#cli/certify/client.ts";
import { ROOT } from "#scripts/suites.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { profileWith, settle } from "../support/settle.ts";

/** The certifier's part for clients: programs that settle with this sandbox, on bad days. */

test.describe.configure({ timeout: 240_000 });

const { env } = process;
const { api_key: apiKey, api_secret: apiSecret, callback_secret: callbackSecret } = sandbox.partner;
const place = { baseUrl: BASE_URL, brand: "Service", apiKey, apiSecret, callbackSecret, callbackUrl: `${sandbox.receivers.url}/well` };
const programs = join(ROOT, "cli", "certify");
const quoted = (...words: string[]) => words.map((word) => `"${word}"`).join(" ");
const byHand = (...flaw: string[]) => quoted(process.execPath, join(programs, "broken", "client.ts"), ...flaw);
const failed = (checks: readonly { name: string; passed: boolean }[]) => checks.filter(({ passed }) => !passed).map(({ name }) => name);
const python = { ...env, PYTHONPATH: join(ROOT, "sdk", "python", "src"), PYTHONDONTWRITEBYTECODE: "1" };

for (const [how, command, environment] of [
  ["with the SDK", quoted(process.execPath, join(programs, "right", "client.ts")), env],
  ["with the Python SDK", quoted("python3", join(programs, "right", "client.py")), python],
  ["written manually, and right", byHand(), env],
] as const)
  test(`a client that is built ${how} passes all of it`, async () => {
    const checks = await certifyClient({ command, place, env: environment });
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(checks).toHaveLength(21);
  });

/** Most of their time they wait, so several run at once. */
const AT_ONCE = 4;
async function eachOf<Broken extends string>(flaws: readonly [Broken, string][], tried: (flaw: Broken, caught: string) => Promise<void>) {
  const waiting = [...flaws];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [flaw, caught] = next;
      await test.step(flaw, () => tried(flaw, caught));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

test("a client with any known flaw is caught", async () => {
  await eachOf(Object.entries(BROKEN_CLIENTS), async (flaw, caught) => {
    const only = caught === "nonces" || caught === "signatures" ? [caught, "plain"] : [caught];
    const checks = await certifyClient({ command: byHand(flaw), place, only, env });
    expect.soft(failed(checks), flaw).toContain(caught);
    expect.soft(checks.find(({ name }) => name === caught)?.reason.length, flaw).toBeGreaterThan(20);
  });
});

const batchByHand = (...flaw: string[]) => quoted(process.execPath, join(programs, "broken", "batch-client.ts"), ...flaw);
for (const [how, command] of [
  ["with the SDK", quoted(process.execPath, join(programs, "right", "batch-client.ts"))],
  ["written manually, and right", batchByHand()],
] as const)
  test(`a client for batches that is built ${how} passes all of it`, async () => {
    const checks = await certifyClient({ command, place, gets: "batch", env });
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(checks).toHaveLength(10);
  });

const fiatByHand = (...flaw: string[]) => quoted(process.execPath, join(programs, "broken", "fiat-client.ts"), ...flaw);
for (const [how, command] of [
  ["with the SDK", quoted(process.execPath, join(programs, "right", "fiat-client.ts"))],
  ["written manually, and right", fiatByHand()],
] as const)
  test(`a client for fiat that is built ${how} passes all of it`, async () => {
    const checks = await certifyClient({ command, place, gets: "fiat", env });
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(checks).toHaveLength(7);
  });

test("a client for batches or fiat with any known flaw is caught", async () => {
  const [batches, fiat] = [Object.entries(BROKEN_BATCH_CLIENTS), Object.entries(BROKEN_FIAT_CLIENTS)];
  await eachOf(batches, async (flaw, caught) => {
    const checks = await certifyClient({ command: batchByHand(flaw), place, gets: "batch", only: [caught], env });
    expect.soft(failed(checks), flaw).toEqual([caught]);
    expect.soft(checks[0]?.reason.length, flaw).toBeGreaterThan(20);
  });
  await eachOf(fiat, async (flaw, caught) => {
    const checks = await certifyClient({ command: fiatByHand(flaw), place, gets: "fiat", only: [caught], env });
    expect.soft(failed(checks), flaw).toEqual([caught]);
    expect.soft(checks[0]?.reason.length, flaw).toBeGreaterThan(20);
  });
});

test("a client that is called off leaves nothing running behind", async () => {
  const ended = new AbortController();
  setTimeout(() => ended.abort(), 300);
  const options = { command: "sleep 30 & wait", place, only: ["plain", "429"], atOnce: 1, env, signal: ended.signal };
  expect((await certifyClient(options)).map(({ name, passed }) => [name, passed])).toEqual([["plain", false]]);
});

test("a client that is no program fails", async () => {
  expect(failed(await certifyClient({ command: "exit 3", place, only: ["signatures", "plain"], env }))).toEqual(["signatures", "plain"]);
});

test("the command certifies against a sandbox, and no client where money could move", async () => {
  const batch = await settle(["certify", "--batch-client", "exit 3"], profileWith());
  expect([batch.code, batch.stdout]).toEqual([4, expect.stringContaining("Batch client: 4 of 10")]);
  const ran = await settle(["certify", "--client", "exit 3"], profileWith());
  expect([ran.code, ran.stdout]).toEqual([4, expect.stringContaining("✗ Signs every request correctly")]);
  const elsewhere = await settle(["certify", "--client", "exit 3"], profileWith({ api_key: "key_live_1" }));
  expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining("This is not a sandbox")]);
});
