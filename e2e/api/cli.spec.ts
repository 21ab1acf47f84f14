import { execFile } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { CLI_ORDER, CLI_WALK } from "#app/docs/_content/commands.ts";
import { OUTCOME_NAMES, OUTCOMES } from "#cli/outcomes.ts";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { ROOT } from "#scripts/suites.ts";
import { deadUrl } from "#testing/settle.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { sdk } from "../support/sdk.ts";
import { freshPath, outputOf, profileWith, readText, settle, startSettle } from "../support/settle.ts";
import { approvedTowards, freshWallet, QUIET_URL, tried, until } from "../support/settlements.ts";

/** `npx settle`, every command against a running sandbox. */

const SECRETS = [sandbox.partner.api_secret, sandbox.partner.callback_secret, sandbox.operator.api_key];
const quoteArgs = () => ["quote", "--amount", "100000", "--from", "KES", "--to", "USDT", "--wallet", freshWallet(), "--json"];

test("the page's walk works exactly as written: from nothing to a verified callback", async () => {
  const profile = freshPath();
  const { port } = new URL(await deadUrl());
  const words = (line: string) => line.replaceAll("4242", port).split(" ").slice(2);
  for (const line of CLI_WALK.first) expect((await settle(words(line), profile)).code, line).toBe(0);
  const listening = startSettle(words(CLI_WALK.listen), profile);
  await expect.poll(listening.stderr).toContain(`http://127.0.0.1:${port}/callbacks`);
  const triggered = await settle(words(CLI_WALK.trigger), profile);
  expect([triggered.code, triggered.stdout]).toEqual([0, expect.stringContaining("executed")]);
  await expect.poll(listening.stdout).toContain("✓ verified settlement.executed");
  listening.interrupt();
  expect((await listening.ended).code).toBe(0);
});

test("the page's order works exactly as written, once the settlement's id is filled in", async () => {
  const profile = profileWith();
  const text = CLI_ORDER.replaceAll("\\\n", "").replace("order-1001", `order-${Date.now()}`);
  const [quote = "", confirm = ""] = text.split("\n").map((line) => line.replace(/^npx settle /, ""));
  const { tx_id } = outputOf(await settle([...quote.split(/ +/), "--json"], profile));
  const confirmed = await settle(confirm.replace("TX_ID", String(tx_id)).split(" "), profile);
  expect([confirmed.code, confirmed.stdout]).toEqual([0, expect.stringMatching(/^Status\s+executed$/m)]);
});

test("a log-in to the running sandbox lasts, in a file that only that person can read, and no secret is shown", async () => {
  const profile = freshPath();
  const started = await promisify(execFile)(process.execPath, [join(ROOT, "cli", "settle.mjs"), "login", "--sandbox"], {
    env: { ...process.env, SETTLE_PROFILE: profile },
  });
  expect(started.stdout).toContain(`Logged in at ${BASE_URL}`);
  expect(statSync(profile).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readText(profile))).toMatchObject({ base_url: BASE_URL, api_key: sandbox.partner.api_key, brand: "Service" });
  for (const secret of SECRETS) expect(started.stdout + started.stderr).not.toContain(secret);
  const pairs = await settle(["pairs"], profile);
  expect([pairs.code, pairs.stdout.split("\n")[0]]).toEqual([0, expect.stringMatching(/^FROM\s+TO\s+CHAIN/)]);
});

test("a log-in with key and secret is tried first: a wrong secret writes nothing", async () => {
  const path = freshPath();
  const login = (secret: string) =>
    promisify(execFile)(process.execPath, ["cli/main.ts", "login", "--url", `${BASE_URL}/`, "--key", sandbox.second_partner.api_key], {
      cwd: ROOT,
      env: { ...process.env, SETTLE_PROFILE: path, API_SECRET: secret, CALLBACK_SECRET: sandbox.second_partner.callback_secret },
    });
  await expect(login(sandbox.partner.api_secret)).rejects.toMatchObject({
    code: 4,
    stdout: expect.stringContaining("does not belong to this key"),
  });
  expect(() => readText(path)).toThrow("ENOENT");
  await login(sandbox.second_partner.api_secret);
  expect(JSON.parse(readText(path))).toMatchObject({ base_url: BASE_URL, api_key: sandbox.second_partner.api_key, sandbox: null });
});

test("quote, confirm, get and cancel: the same intent is the same quote, and a confirmation repeated confirms nothing more", async () => {
  const profile = profileWith();
  const args = [...quoteArgs(), "--intent", `order-${Date.now()}`, "--callback-url", QUIET_URL];
  const quoted = outputOf(await settle(args, profile));
  expect(outputOf(await settle(args, profile)).tx_id).toBe(quoted.tx_id);
  const txId = String(quoted.tx_id);
  const wrong = await settle(["confirm", txId, "--expect", "1"], profile);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("409 quote_changed")]);
  const confirmed = await settle(["confirm", txId, "--expect", String(quoted.destination_amount), "--wait", "--json"], profile);
  expect(outputOf(confirmed)).toMatchObject({ tx_id: txId, status: "executed", external_tx_id: `cli-${txId}` });
  expect(confirmed.code).toBe(0);
  expect(outputOf(await settle(["confirm", txId, "--json"], profile))).toMatchObject({ status: "executed" });
  const shown = await settle(["get", txId], profile);
  expect(shown.stdout).toMatch(new RegExp(`^Settlement\\s+${txId}\\nStatus\\s+executed\\n`));
  const other = String(outputOf(await settle(quoteArgs(), profile)).tx_id);
  expect(outputOf(await settle(["cancel", other, "--json"], profile))).toMatchObject({ status: "cancelled" });
  const late = await settle(["cancel", txId, "--json"], profile);
  expect([late.code, outputOf(late).error]).toEqual([1, expect.objectContaining({ status: 409, code: "invalid_state" })]);
});

test("a batch is created from a file, once however often, and is confirmed, paid, requoted and cancelled by its id", async () => {
  const profile = profileWith();
  const file = `${profile}.csv`;
  const columns = "external_tx_id,source_amount,source_currency,destination_currency,external_merchant_id,chain,wallet_address";
  const write = (run: string) => {
    const row = (place: number) => [
      `${run}-${place}`,
      100_000 + place,
      "KES",
      "USDT",
      "merchant-1",
      sandbox.chains[0].chain,
      freshWallet(),
    ];
    writeFileSync(file, [columns, ...[1, 2, 3].map((place) => row(place).join(","))].join("\r\n"));
  };
  const batch = async (...args: string[]) => outputOf(await settle(["batch", ...args, "--json"], profile));
  write(`run-${Date.now()}`);
  const made = await batch("create", file, "--callback-url", QUIET_URL);
  expect(made).toMatchObject({ status: "quoted", item_count: 3, totals: [{ source_amount: 300_006 }] });
  expect(await batch("create", file, "--callback-url", QUIET_URL)).toMatchObject({ batch_id: made.batch_id });
  const id = String(made.batch_id);
  expect(await batch("confirm", id)).toMatchObject({ status: "processing" });
  const done = await until(
    async () => await batch("get", id),
    ({ status }) => status === "completed",
  );
  expect(done).toMatchObject({ counts: { executed: 3, failed: 0 } });
  write(`other-${Date.now()}`);
  const other = String((await batch("create", file, "--name", `named-${Date.now()}`)).batch_id);
  expect(await batch("requote", other)).toMatchObject({ status: "quoted" });
  expect(await batch("cancel", other)).toMatchObject({ status: "cancelled", counts: { cancelled: 3 } });
  const late = await settle(["batch", "confirm", other, "--callback-url", QUIET_URL, "--json"], profile);
  expect([late.code, outputOf(late).error]).toEqual([1, expect.objectContaining({ status: 409, code: "invalid_state" })]);
});

test("listen hears a real callback and verifies it, once it has failed as it was asked to", async () => {
  const profile = profileWith();
  const listening = startSettle(["listen", "--port", "0", "--fail", "1", "--count", "2", "--json"], profile);
  await expect.poll(listening.stdout).toContain("listening");
  const url = String(JSON.parse(listening.stdout()).listening);
  const quoted = outputOf(await settle([...quoteArgs(), "--callback-url", url], profile));
  await settle(["confirm", String(quoted.tx_id)], profile);
  await expect.poll(listening.stdout).toContain('"answered":500');
  const [callback] = await sdk.settlements.callbacks(String(quoted.tx_id));
  await sdk.call({
    surface: "settlement",
    method: "POST",
    path: `/api/v1/settlements/${quoted.tx_id}/callbacks/${callback?.id}/attempt`,
  });
  const { code, stdout } = await listening.ended;
  expect(code).toBe(0);
  const [, first, second] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(first).toMatchObject({ verified: true, event: "settlement.executed", attempt: 1, answered: 500, body: { tx_id: quoted.tx_id } });
  expect(second).toMatchObject({ id: first.id, verified: true, attempt: 2, answered: 200 });
});

test("resend starts a callback's attempts again, and says so where there is none to resend", async () => {
  const profile = profileWith();
  const receiver = await openReceiver();
  const tx_id = await approvedTowards(receiver.url);
  const { id } = await tried(tx_id, 1);
  const nothing = await settle(["resend", tx_id], profile);
  expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining("--callbacks")]);
  const listed = await settle(["get", tx_id, "--callbacks"], profile);
  expect(listed.stdout).toContain("delivered");
  expect(outputOf(await settle(["resend", tx_id, id, "--json"], profile))).toMatchObject([{ id, state: "pending" }]);
  expect((await receiver.delivery(2)).headers["webhook-id"]).toBe(id);
  await receiver.close();
});

/** Last: `stuck` delays the payments behind it for a minute, and `expired` moves everybody's clock. */
const IN_ORDER = [...OUTCOME_NAMES].sort((left, right) => Number(left === "stuck") - Number(right === "stuck"));

for (const outcome of IN_ORDER) {
  test(`trigger ${outcome} brings it about`, async () => {
    const ran = await settle(["trigger", outcome, "--json"], profileWith());
    expect(ran.code, `${ran.stdout}\n${ran.stderr}`).toBe(0);
    const refusal = Object.entries(OUTCOMES).find(([name]) => name === outcome)?.[1];
    if (refusal !== undefined && "refusal" in refusal) expect(outputOf(ran)).toMatchObject({ refused: { code: refusal.refusal } });
    else expect(outputOf(ran)).toMatchObject({ tx_id: expect.stringMatching(/^tx_/) });
  });
}

for (const [kind, account, status] of [
  ["withdrawal", "000001", "completed"],
  ["withdrawal", "999901", "failed"],
  ["topup", "999903", "completed"],
  ["topup", "999909", "failed"],
] as const) {
  test(`trigger ${kind} for an account that ends in ${account} ends ${status}`, async () => {
    const ran = await settle(["trigger", kind, "--account", account, "--json"], profileWith());
    expect([ran.code, outputOf(ran)], ran.stderr).toEqual([0, expect.objectContaining({ status })]);
  });
}

test("clock shows the sandbox's time, and moves it ahead", async () => {
  const profile = profileWith();
  const before = outputOf(await settle(["clock", "--json"], profile));
  const after = outputOf(await settle(["clock", "--advance", "30", "--json"], profile));
  expect(Number(after.offset_seconds) - Number(before.offset_seconds)).toBe(30);
  expect((await settle(["clock", "--advance", "-30"], profile)).code).toBe(2);
});

test("trigger refuses what it does not know, and a receiver that the sandbox has not", async () => {
  const profile = profileWith();
  expect((await settle(["trigger", "lightning"], profile)).code).toBe(2);
  expect((await settle(["trigger", "executed", "--receiver", "nobody"], profile)).code).toBe(2);
});

test("logs shows the newest, and follows what becomes of them until Ctrl-C", async () => {
  const profile = profileWith();
  const following = startSettle(["logs", "--follow", "--every", "1", "--limit", "1", "--json"], profile);
  await expect.poll(following.stdout).toContain("created_at");
  const { tx_id } = outputOf(await settle(["trigger", "cancelled", "--json"], profile));
  await expect.poll(following.stdout).toContain(String(tx_id));
  following.interrupt();
  const { code, stdout } = await following.ended;
  expect(code).toBe(0);
  for (const line of stdout.trim().split("\n"))
    expect(JSON.parse(line)).toMatchObject({ type: expect.any(String), status: expect.any(String) });
});

test("what waits ends at Ctrl-C", async () => {
  const profile = profileWith();
  const { tx_id } = outputOf(await settle(["trigger", "held", "--json"], profile));
  const waiting = startSettle(["get", String(tx_id), "--wait"], profile);
  await expect.poll(waiting.stderr).toContain("waiting");
  waiting.interrupt();
  expect((await waiting.ended).code).toBe(130);
  await until(
    () => sdk.settlements.get(String(tx_id)),
    ({ waiting_reason }) => waiting_reason === "hold",
  );
});
