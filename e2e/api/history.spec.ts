import { readFileSync } from "node:fs";
import { chromium, expect, test } from "@playwright/test";
import { z } from "zod";
import { getMembersOperation } from "#contract/partner/member-operations.ts";
import { readPartnersOperation } from "#contract/partner/partner-operations.ts";
import { listEventsOperation } from "#contract/settlement/v1/event-operations.ts";
import { createSettlementOperation, listSettlementsOperation } from "#contract/settlement/v1/operations.ts";
import { readSandboxFile, type SandboxFile } from "#sandbox/client/sandbox-file.ts";
import { read, readJson } from "../support/answers.ts";
import { audit, faultsIn } from "../support/audit.ts";
import { launchOptions } from "../support/browser.ts";
import { clockAnswer } from "../support/clock.ts";
import { operatorClient, partnerClient } from "../support/patient.ts";
import { createBody, SETTLEMENTS } from "../support/settlements.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/** The history of a first start, of two days instead of thirty, in a separate sandbox. */

const DAY_MS = 86_400_000;
let directory: string;
let own: OwnSandbox;
let sandbox: SandboxFile;

test.beforeAll(async () => {
  directory = newDirectory();
  own = await startSandbox(directory, { SANDBOX_HISTORY: "2" });
  sandbox = readSandboxFile(own.file);
});
test.afterAll(async () => {
  await own?.stop();
  removeDirectory(directory);
});

test("history appears whole, days old, right by ledger and chain; the clock and what was done meanwhile are untouched", async () => {
  const partner = partnerClient(sandbox.base_url, sandbox.partner);
  const operator = operatorClient(sandbox.base_url, sandbox.operator);
  // No other answer says what the network takes.
  const { network_cost: _, ...mine } = read(createSettlementOperation, await partner.post(SETTLEMENTS, createBody()));
  const begun = await follow(null);
  await expect.poll(() => own.output(), { timeout: 150_000, intervals: [500] }).toContain("The history is in the console.");

  expect(clockAnswer.parse(readJson(await operator.call("GET", "/sandbox/clock"))).offset_seconds).toBe(0);
  const { data } = read(listSettlementsOperation, await partner.get(`${SETTLEMENTS}?limit=100`));
  expect(data.find(({ tx_id }) => tx_id === mine.tx_id)).toEqual(mine);
  expect(data.map(({ status }) => status)).toEqual(expect.arrayContaining(["quoted", "executed"]));
  expect(data.filter(({ approval_state }) => approval_state === "pending").length).toBeGreaterThan(0);
  expect(Date.now() - Date.parse(data.at(-1)?.created_at ?? "")).toBeGreaterThan(DAY_MS);

  const first = data.at(-1)?.created_at ?? "";
  const partners = read(readPartnersOperation, await operator.call("GET", "/partners"));
  expect(partners.filter(({ created_at }) => created_at > first)).toEqual([]);

  // Anyone who has followed from the start gets each event of the history, too.
  const followed = [...begun.ids, ...(await follow(begun.cursor)).ids];
  expect(followed.length).toBeGreaterThan(30);
  expect(followed).toEqual((await follow(null)).ids.slice(0, followed.length));

  // And it lives on: members with Safes, fiat in and out of every fate, receivers that still answer.
  const api = operatorClient(sandbox.base_url, sandbox.partner);
  const members = read(getMembersOperation, await api.call("GET", "/partners/members"));
  expect(members.length).toBe(6);
  expect(new Set(members.map(({ safe_status }) => safe_status))).toEqual(new Set(["deployed"]));
  const ports = z.object({ ports: z.object({ receivers: z.number() }) }).parse(JSON.parse(readFileSync(`${directory}/kept.json`, "utf8")));
  const answerOf = async (reception: string) =>
    (await fetch(`http://127.0.0.1:${ports.ports.receivers}/demo/callbacks/${reception}`, { method: "POST" })).status;
  expect([await answerOf("well"), await answerOf("unauthorized")]).toEqual([200, 401]);

  const { code, output } = await audit(own.file);
  expect(faultsIn(output)).toEqual([expect.stringMatching(/^\d+ rules, \d+ checks, 0 violations$/)]);
  expect(code).toBe(0);
  expect(output).toMatch(/✓ executed_is_on_the_chain \([1-9]\d/);
});

/** The ids of all events after a cursor, and the cursor after them. */
async function follow(after: string | null): Promise<{ ids: string[]; cursor: string }> {
  const partner = partnerClient(sandbox.base_url, sandbox.partner);
  const ids: string[] = [];
  for (let cursor = after; ; ) {
    const from = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = read(listEventsOperation, await partner.get(`/api/v1/events?limit=100${from}`));
    ids.push(...page.data.map(({ id }) => id));
    if (page.data.length === 0) return { ids, cursor: page.next_cursor };
    cursor = page.next_cursor;
  }
}

test("who decided in it has signed in, and its audit log is verified", async () => {
  const browser = await chromium.launch(launchOptions);
  try {
    const page = await browser.newPage();
    const { email, password } = sandbox.users.admin;
    await page.goto(`${sandbox.console_url}/sign-in`);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(sandbox.console_url);
    await page.goto(`${sandbox.console_url}/people`);
    await expect(page.getByRole("row").filter({ hasText: "Abel Approver" })).toContainText(/ 20\d\d, /);
    await page.goto(`${sandbox.console_url}/audit`);
    await expect(page.getByRole("region", { name: "Chain of seals" })).toContainText(/Verified to #\d{2,}/);
  } finally {
    await browser.close();
  }
});
