import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import {
  BATCH_CLIENT_CHECKS,
  CLIENT_CHECKS,
  EVENT_RECEIVER_CHECKS,
  FIAT_CLIENT_CHECKS,
  RECEIVER_CHECKS,
} from "#app/docs/_content/certified.ts";
import { BATCH_SCENARIOS } from "./batch-scenarios.ts";
import { BROKEN_EVENT_RECEIVERS, BROKEN_RECEIVERS, brokenReceiver } from "./broken/receivers.ts";
import { certifyClient } from "./client.ts";
import { FIAT_SCENARIOS } from "./fiat-scenarios.ts";
import { certifyReceiver } from "./receiver.ts";
import { rightEventReceiver } from "./right/event-receiver.ts";
import { rightReceiver } from "./right/receiver.ts";
import { SCENARIOS } from "./scenarios.ts";

const run = promisify(execFile);
const secrets = { callbackSecret: `whsec_${randomBytes(24).toString("base64")}`, apiSecret: "sec_test_certify" };
const { env } = process;
const here = import.meta.dirname;
const opened: Server[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: Server): Promise<string> {
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?shop=7`;
}
const failed = (checks: readonly { name: string; passed: boolean }[]) => checks.filter(({ passed }) => !passed).map(({ name }) => name);
/** Never because a machine is busy. */
const ANY_TIME = 60_000;

describe("a receiver", () => {
  it("that is right passes all of it", async () => {
    const checks = await certifyReceiver({ url: await listen(rightReceiver(secrets.callbackSecret)), ...secrets, soonMs: ANY_TIME });
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(checks.length).toBeGreaterThanOrEqual(26);
  });

  it.each(Object.entries(BROKEN_RECEIVERS))("that %s is caught", async (name, { caught }) => {
    const url = await listen(brokenReceiver(name, secrets.callbackSecret));
    const soonMs = caught === "soon" ? 1_000 : ANY_TIME;
    const only = ["event settlement.executed", "still well", caught];
    const checks = await certifyReceiver({ url, ...secrets, soonMs, only });
    expect(failed(checks)).toContain(caught);
    if (!["event settlement.executed", "soon"].includes(caught)) expect(failed(checks)).toEqual([caught]);
    expect(checks.find((check) => check.name === caught)?.reason.length).toBeGreaterThan(30);
  });

  it("that is not there, or hangs, fails with the reason", async () => {
    const only = ["event settlement.executed"];
    expect((await certifyReceiver({ url: "http://127.0.0.1:9/", ...secrets, only }))[0]).toMatchObject({
      passed: false,
      reason: expect.stringContaining("no answer"),
    });
    const silent = await listen(brokenReceiver("works before it answers", secrets.callbackSecret));
    const [check] = await certifyReceiver({ url: silent, ...secrets, only, timeoutMs: 50 });
    expect(check).toMatchObject({ passed: false, reason: expect.stringContaining("no answer within") });
  });
});

describe("a receiver of events", () => {
  it("that is right passes all of it", async () => {
    const url = await listen(rightEventReceiver(secrets.callbackSecret));
    const checks = await certifyReceiver({ url, ...secrets, gets: "events" });
    expect(checks.filter(({ name, passed }) => !passed && name !== "soon")).toEqual([]);
    expect(checks.map(({ title }) => title)).toEqual(EVENT_RECEIVER_CHECKS.map(([title]) => title));
  });

  it.each(Object.entries(BROKEN_EVENT_RECEIVERS))("that %s is caught", async (name, { caught }) => {
    const url = await listen(brokenReceiver(name, secrets.callbackSecret, BROKEN_EVENT_RECEIVERS));
    const checks = await certifyReceiver({ url, ...secrets, gets: "events", soonMs: ANY_TIME, only: ["still well", caught] });
    expect(failed(checks)).toEqual([caught]);
    expect(checks.find((check) => check.name === caught)?.reason.length).toBeGreaterThan(30);
  });
});

it("the documentation describes every check, and no other", async () => {
  const received = await certifyReceiver({ url: "http://127.0.0.1:9/", ...secrets });
  const titles = received.filter(({ name }) => !name.startsWith("event ")).map(({ title }) => title);
  expect(RECEIVER_CHECKS.map(([title]) => title)).toEqual(["Takes every event", ...titles]);
  const [signatures, nonces, ...scenarios] = CLIENT_CHECKS.map(([title]) => title);
  expect(scenarios).toEqual(SCENARIOS.map(({ title }) => title));
  expect(FIAT_CLIENT_CHECKS).toEqual(FIAT_SCENARIOS.map(({ title, danger }) => [title, danger]));
  expect(BATCH_CLIENT_CHECKS).toEqual(BATCH_SCENARIOS.map(({ title, danger }) => [title, danger]));
  const place = { ...secrets, baseUrl: "http://127.0.0.1:9", brand: "Service", apiKey: "key_test_1", callbackUrl: "http://127.0.0.1:9/" };
  const judged = await certifyClient({ command: "exit 3", place, only: ["signatures", "nonces"], env });
  expect(judged.map(({ title }) => title)).toEqual([signatures, nonces]);
});

describe("the command", () => {
  const main = (args: string[], more: object = {}) =>
    run(process.execPath, [join(here, "main.ts"), ...args], { env: { ...env, ...more } }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
      (error) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
    );

  it("prints the sheet and ends with what it found", async () => {
    const keys = { CALLBACK_SECRET: secrets.callbackSecret, API_SECRET: secrets.apiSecret };
    const right = await main(["--json", "--receiver", await listen(rightReceiver(secrets.callbackSecret))], keys);
    const sheet = JSON.parse(right.stdout);
    expect([failed(sheet.checks).filter((name) => name !== "soon"), right.code]).toEqual([[], sheet.passed ? 0 : 4]);
    const broken = await main(["--receiver", await listen(brokenReceiver("believes everything", secrets.callbackSecret))], keys);
    expect([broken.code, broken.stdout]).toEqual([
      4,
      expect.stringMatching(/✗ Refuses an unsigned callback\n {6}200[\s\S]*\nNot passed\.\n$/),
    ]);
  });

  it("says how it expects to be called", async () => {
    for (const args of [[], ["--receiver", "nonsense"], ["--receiver", "http://127.0.0.1:9/"], ["--what"]]) {
      const asked = await main(args, { CALLBACK_SECRET: "", API_SECRET: "" });
      expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("--receiver URL")]);
    }
  });
});
