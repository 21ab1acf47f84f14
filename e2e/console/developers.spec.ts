import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import { type Browser, expect, type Locator, type Page, test } from "@playwright/test";
import { exchange, type Header } from "#sandbox/client/exchange.ts";
import { BRAND, type Credentials } from "#sandbox/client/signing.ts";
import { ask, change } from "../support/calls.ts";
import { operator, rival } from "../support/client.ts";
import { browserOf, open, type Role, watch } from "../support/console.ts";
import { logsWith } from "../support/logs.ts";
import { partnerClient } from "../support/patient.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";

/** What partners' developers do: keys, the log of their requests, and why a signature was refused. */

const KEYS = "/console/developers/keys";
const LOG = "/console/developers/log";
type IssuedKey = Credentials & { id: string };

/** A separate key for a story, so that no other story's requests interfere. */
async function newKey(name: string, partnerId = sandbox.partner.id): Promise<IssuedKey> {
  const answer = await operator.call("POST", "/partners/api-keys", { partner_id: partnerId, name });
  expect(answer.status).toBe(201);
  return JSON.parse(answer.text);
}

/** A page of a user with a recent step-up. */
async function provenPage(browser: Browser, role: Role): Promise<Page> {
  const page = await browserOf(browser, role, { permissions: ["clipboard-read", "clipboard-write"] });
  expect((await change(page, "session.stepUp", { proof: sandbox.users[role].password })).status).toBe(200);
  return page;
}

const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

async function act(page: Page, name: string, action: "Rotate" | "Revoke"): Promise<void> {
  await page
    .getByRole("button", { name: `Actions for the key ${name}` })
    .first()
    .click();
  await page.getByRole("menuitem", { name: action }).click();
}

/** Key and secret, as the dialog shows them this once. */
async function readPair(once: Locator): Promise<[apiKey: string, secret: string]> {
  const shown = once.getByRole("definition").getByRole("code");
  await expect(shown).toHaveCount(2);
  return [await shown.nth(0).innerText(), await shown.nth(1).innerText()];
}

test("a new key's secret is seen once: closing it uncopied warns, and then it is nowhere", async ({ browser }) => {
  const page = await provenPage(browser, "owner");
  const name = `Story ${randomUUID().slice(0, 8)}`;
  await open(page, KEYS);
  await page.getByRole("button", { name: "Create key" }).click();
  const form = page.getByRole("dialog", { name: "Create API key" });
  await form.getByLabel("Name").fill(name);
  await form.getByLabel("Allowed addresses").fill("127.0.0.0/8\n300.1.1.1");
  await form.getByLabel("Name").focus();
  await expect(form.getByRole("alert")).toContainText("300.1.1.1");
  await form.getByLabel("Allowed addresses").fill("127.0.0.0/8, ::1");
  await form.getByLabel(/Change members/).uncheck();
  await expect(form).toContainText(/In the last 30 days this would have refused (no request|[\d,]+ of [\d,]+ requests? that w)/);
  await form.getByRole("button", { name: "Create key" }).click();

  const once = page.getByRole("dialog", { name: `Key “${name}” created` });
  const [apiKey, secret] = await readPair(once);
  expect(secret).toMatch(/^sec_test_/);
  await once.getByRole("tab", { name: ".env" }).click();
  await expect(once.getByRole("tabpanel", { name: ".env" })).toContainText(`API_KEY=${apiKey}\nAPI_SECRET=${secret}`);
  await once.getByRole("tab", { name: "Signed cURL" }).click();
  const signedCall = once.getByRole("tabpanel", { name: "Signed cURL" });
  await expect(signedCall).toContainText("openssl dgst -sha256");
  expect(await signedCall.innerText()).not.toContain(secret);

  const later: string[] = [];
  page.on("response", async (response) => later.push(await response.text().catch(() => "")));
  await page.keyboard.press("Escape");
  await expect(once.getByRole("alert")).toContainText("neither copied nor downloaded");
  await expect(once.getByRole("button", { name: "Done" })).toBeDisabled();
  await once.getByRole("tab", { name: ".env" }).click();
  await once.getByRole("button", { name: "Copy .env" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(secret);
  const download = page.waitForEvent("download");
  await once.getByRole("button", { name: "Download .env" }).click();
  expect((await download).suggestedFilename()).toMatch(/^story-[0-9a-f]+\.env$/);
  await once.getByLabel("I have stored it").check();
  await once.getByRole("button", { name: "Done" }).click();
  await expect(once).toHaveCount(0);

  const isNowhere = async () => {
    expect(await page.content()).not.toContain(secret);
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))).not.toContain(secret);
  };
  await isNowhere();
  const row = rowOf(page, name);
  await expect(row).toContainText(`…${apiKey.slice(-4)}`);
  await expect(row).toContainText("Never used");
  await expect(row).toContainText("Active");
  const echo = await partnerClient(BASE_URL, { api_key: apiKey, api_secret: secret }).post("/api/v1/echo", { hello: 1 });
  expect(echo.status).toBe(200);
  await page.reload();
  await isNowhere();
  await expect(row).toContainText(/just now from (127\.0\.0\.1|::1)/);
  await page.goto(BASE_URL + LOG);
  await page.goBack();
  await expect(row).toBeVisible();
  await isNowhere();
  const keys = await operator.call("GET", `/partners/api-keys?search=${encodeURIComponent(name)}`);
  const answers = await Promise.all([ask(page, "developers.keys", { partner_id: sandbox.partner.id }), ask(page, "apiLog.list", {})]);
  expect(JSON.stringify(answers) + later.join() + JSON.stringify(keys)).not.toContain(secret);
  const logs = await logsWith(String(keys.headers["x-request-id"]));
  for (const hidden of [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")]) expect(logs).not.toContain(hidden);

  await act(page, name, "Revoke");
  const revoke = page.getByRole("dialog", { name: `Revoke “${name}”` });
  await expect(revoke).toContainText("In the last 30 days this would have refused 1 of 1 request that was answered: echo 1.");
  await revoke.getByRole("textbox").fill(name.slice(1));
  await expect(revoke.getByRole("button", { name: "Revoke key" })).toBeDisabled();
  await revoke.getByRole("textbox").fill(name);
  await revoke.getByRole("button", { name: "Revoke key" }).click();
  // Rows behind an open dialog cannot be found.
  await expect(revoke).toHaveCount(0);
  await expect(rowOf(page, name)).toHaveCount(0);
  const refused = await partnerClient(BASE_URL, { api_key: apiKey, api_secret: secret }).post("/api/v1/echo", { hello: 1 });
  expect(JSON.parse(refused.text).code).toBe("revoked_api_key");
  await page.getByText("Ended keys").click();
  await expect(rowOf(page, name)).toContainText("Revoked");
  await page.context().close();
});

test("a page that still shows a secret asks before it is left", async ({ browser }) => {
  const page = await provenPage(browser, "owner");
  const name = `Left ${randomUUID().slice(0, 8)}`;
  await newKey(name);
  await open(page, KEYS);
  await act(page, name, "Rotate");
  await page.getByRole("radio", { name: /^Now/ }).check();
  await page.getByRole("button", { name: "Rotate key" }).click();
  const once = page.getByRole("dialog", { name: `Key “${name}” rotated` });
  await expect(once.getByRole("definition").getByRole("code")).toHaveCount(2);
  await once.getByRole("tab", { name: ".env" }).click();
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await expect(once).toBeVisible();
  await page.keyboard.press("Escape");
  await once.getByRole("button", { name: "Close without it" }).click();
  await expect(once).toHaveCount(0);
  await page.context().close();
});

test("a rotated key and its successor both sign while they overlap, and the old one shows how long", async ({ browser }) => {
  const page = await provenPage(browser, "owner");
  const name = `Overlap ${randomUUID().slice(0, 8)}`;
  const old = await newKey(name);
  await open(page, KEYS);
  await act(page, name, "Rotate");
  await page.getByRole("radio", { name: /^In 24 hours/ }).check();
  await page.getByRole("button", { name: "Rotate key" }).click();
  const once = page.getByRole("dialog", { name: `Key “${name}” rotated` });
  const [api_key, api_secret] = await readPair(once);
  await once.getByLabel("I have stored it").check();
  await once.getByRole("button", { name: "Done" }).click();
  await expect(rowOf(page, name)).toHaveCount(2);
  await expect(rowOf(page, name).filter({ hasText: "Replaced" })).toContainText(/ends in 23:59:\d\d/);
  for (const pair of [old, { api_key, api_secret }]) {
    expect((await partnerClient(BASE_URL, pair).get("/api/v1/pairs")).status).toBe(200);
  }
  await page.context().close();
});

test("staff and viewers look at keys without touching them; nobody reaches another partner's", async ({ browser }) => {
  const theirs = await newKey(`Theirs ${randomUUID().slice(0, 8)}`, sandbox.second_partner.id);
  const create = { name: "x", scopes: ["partner:read"], allowed_ips: [], expires_at: null };
  for (const role of ["staff", "viewer", "approver"] as const) {
    const page = await provenPage(browser, role);
    await open(page, KEYS);
    await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
    await expect(page.getByRole("button", { name: /Create key|Rotate|Actions for/ })).toHaveCount(0);
    expect((await change(page, "developers.createKey", create)).status).toBe(403);
    expect((await change(page, "developers.revokeKey", { id: theirs.id })).status).toBe(403);
    await page.context().close();
  }
  const owner = await provenPage(browser, "owner");
  const partner_id = sandbox.second_partner.id;
  expect((await change(owner, "developers.revokeKey", { id: theirs.id })).status).toBe(404);
  expect((await change(owner, "developers.rotateKey", { id: theirs.id, overlap_seconds: 0 })).status).toBe(404);
  expect((await change(owner, "developers.createKey", { ...create, partner_id })).status).toBe(404);
  expect((await change(owner, "developers.createKey", { ...create, partner_id: null })).status).toBe(404);
  expect((await change(owner, "developers.rotateCallbackSecret", { partner_id, overlap_seconds: 0 })).status).toBe(404);
  for (const path of ["developers.keys", "developers.callbackSecret"]) expect((await ask(owner, path, { partner_id })).status).toBe(404);
  expect((await partnerClient(BASE_URL, theirs).get("/api/v1/pairs")).status).toBe(200);
  await owner.context().close();
});

test("a callback secret is rotated with an overlap that is shown, and its page never holds it", async ({ browser }) => {
  const slug = `story-${randomUUID().slice(0, 8)}`;
  const made = await operator.call("POST", "/partners", { name: slug, slug, roles: ["AGGREGATOR"] });
  const { id: partner_id } = JSON.parse(made.text);
  const admin = await provenPage(browser, "admin");
  const rotate = async () => (await change(admin, "developers.rotateCallbackSecret", { partner_id, overlap_seconds: 86_400 })).data;
  await rotate();
  const second = await rotate();
  expect(second).toMatchObject({ callback_secret: expect.stringMatching(/^whsec_/), previous_until: expect.any(String) });
  const state = await ask(admin, "developers.callbackSecret", { partner_id });
  expect(state.data).toMatchObject({ since: expect.any(String), previous_until: expect.any(String), may_change: true });
  expect(JSON.stringify(state)).not.toContain("whsec_");
  await admin.context().close();
  const owner = await browserOf(browser, "owner");
  await open(owner, KEYS);
  await expect(owner.getByRole("region", { name: "Callback secret" })).toContainText("Signs callbacks since");
  await owner.getByRole("button", { name: "Rotate secret" }).click();
  await expect(owner.getByRole("dialog")).toContainText("each callback carries two signatures");
  expect(await owner.content()).not.toContain(sandbox.partner.callback_secret);
  await owner.context().close();
});

test("every request is in the log: found by its id, filtered in the address, counted in bars and in a table", async ({ browser }) => {
  const key = await newKey(`Log ${randomUUID().slice(0, 8)}`);
  const client = partnerClient(BASE_URL, key);
  await client.get("/api/v1/pairs");
  const failed = await client.get("/api/v1/settlements?status=nonsense");
  const failedId = String(failed.headers["x-request-id"]);
  const foreign = String((await rival.get("/api/v1/pairs")).headers["x-request-id"]);
  const page = await browserOf(browser, "staff");
  const troubles = watch(page);
  await expect.poll(async () => (await ask(page, "apiLog.byId", { request_id: failedId })).status).toBe(200);

  await open(page, `${LOG}?key=${key.id}`);
  await expect(page.locator("tbody tr", { hasText: "/api/v1/" })).toHaveCount(2);
  await expect(page.getByRole("figure")).toContainText("2 requests");
  await expect(page.getByRole("figure")).toContainText("2xx 1");
  await page.getByText("View as table").click();
  await expect(page.getByRole("table", { name: /by status class/ }).locator("tbody tr")).toHaveCount(1);
  await page.getByText(/^Errors by code and operation \(/).click();
  await page.getByRole("button", { name: "validation_failed" }).click();
  await page.waitForURL(/code=validation_failed/);
  await expect(page.getByRole("table", { name: /^Requests, newest/ }).locator("tbody tr")).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole("table", { name: /^Requests, newest/ }).locator("tbody tr")).toHaveCount(1);
  await page.goBack();
  await expect(page.getByRole("table", { name: /^Requests, newest/ }).locator("tbody tr")).toHaveCount(2);

  await client.get("/api/v1/pairs");
  await page.getByRole("button", { name: "1 new request" }).click();
  await expect(page.getByRole("table", { name: /^Requests, newest/ }).locator("tbody tr")).toHaveCount(3);
  await page.getByRole("link", { name: "GET /api/v1/settlements" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("GET /api/v1/settlements");
  await expect(page.locator("main")).toContainText(failedId);
  await expect(page.getByRole("link", { name: "validation_failed" })).toHaveAttribute("href", "/docs/errors/validation_failed");

  await open(page, `${LOG}?code=no_such_code`);
  await expect(page.locator("main")).toContainText("No match");
  for (const path of ["apiLog.byId", "apiLog.explain"]) expect((await ask(page, path, { request_id: foreign })).status).toBe(404);
  expect((await page.goto(`${BASE_URL}${LOG}/${foreign}`))?.status()).toBe(404);
  const others = await ask(page, "apiLog.list", { partner_id: sandbox.second_partner.id, request_id: foreign });
  expect(others.data).toMatchObject({ data: [] });
  expect(troubles).toEqual([]);
  await page.context().close();
});

test("the request id of a call that the console refused is found in the log, by the one who made it and the operator's people", async ({
  browser,
}) => {
  const staff = await browserOf(browser, "staff");
  const refused = await staff.request.get(`${BASE_URL}/api/trpc/settlements.byId?input=${encodeURIComponent('{"tx_id":"tx_none"}')}`);
  const requestId: string = (await refused.json()).error.data.refusal.request_id;
  const approver = await browserOf(browser, "approver");
  for (const page of [staff, approver]) {
    await expect.poll(async () => (await ask(page, "apiLog.byId", { request_id: requestId })).status).toBe(200);
    await open(page, `${LOG}?request=${requestId}`);
    await expect(page.getByRole("table", { name: /^Requests, newest/ })).toContainText("settlements.byId");
    await page.context().close();
  }
});

const BODY = '{"amount":100,"url":"https://shop.example/cb","name":"Café"}';
const TREE = JSON.parse(BODY);
const WRITE = { method: "POST", path: "/api/v1/echo", query: "", body: BODY };
const READ = {
  method: "GET",
  path: "/api/v1/settlements",
  query: "status=executed&created_from=2026-01-01T00%3A00%3A00Z&limit=5",
  body: "",
};
type Parts = typeof WRITE & { timestamp: string };
type Forgery = { mistake: string; request: typeof WRITE; sign: (parts: Parts, key: Credentials) => string };

const joined = ({ timestamp, method, path, query, body }: Parts, separator = "\n") =>
  [timestamp, method, path, query, body].join(separator);
const hmac = (secret: string, text: string, encoding: "hex" | "base64" = "hex") =>
  createHmac("sha256", secret).update(text).digest(encoding);
const changed = (mistake: string, request: typeof WRITE, change: Partial<Parts>): Forgery => ({
  mistake,
  request,
  sign: (parts, { api_secret }) => hmac(api_secret, joined({ ...parts, ...change })),
});
const sorted = Object.fromEntries(Object.entries(TREE).toSorted(([one], [other]) => (one < other ? -1 : 1)));

const FORGERIES: readonly Forgery[] = [
  changed("body_pretty", WRITE, { body: JSON.stringify(TREE, null, 2) }),
  changed("body_python_spaces", WRITE, { body: BODY.replaceAll('":', '": ').replaceAll(',"', ', "') }),
  changed("body_sorted", WRITE, { body: JSON.stringify(sorted) }),
  changed("body_unicode_escaped", WRITE, { body: BODY.replace("é", "\\u00e9") }),
  changed("body_trailing_newline", WRITE, { body: `${BODY}\n` }),
  changed("method_in_lower_case", WRITE, { method: "post" }),
  changed("path_without_prefix", WRITE, { path: "/echo" }),
  changed("query_with_question_mark", READ, { query: `?${READ.query}` }),
  changed("query_decoded", READ, { query: decodeURIComponent(READ.query) }),
  changed("query_reordered", READ, { query: READ.query.split("&").toSorted().join("&") }),
  { mistake: "joined_by_crlf", request: WRITE, sign: (parts, { api_secret }) => hmac(api_secret, joined(parts, "\r\n")) },
  { mistake: "joined_by_literal_backslash_n", request: WRITE, sign: (parts, { api_secret }) => hmac(api_secret, joined(parts, "\\n")) },
  { mistake: "api_key_as_secret", request: WRITE, sign: (parts, { api_key }) => hmac(api_key, joined(parts)) },
  { mistake: "whitespace_in_secret", request: WRITE, sign: (parts, { api_secret }) => hmac(`${api_secret}\n`, joined(parts)) },
  { mistake: "signature_in_base64", request: WRITE, sign: (parts, { api_secret }) => hmac(api_secret, joined(parts), "base64") },
  {
    mistake: "plain_hash",
    request: WRITE,
    sign: (parts, { api_secret }) =>
      createHash("sha256")
        .update(api_secret + joined(parts))
        .digest("hex"),
  },
];

/** Sends a request with that signature over these parts. */
async function sendSigned(key: Credentials, request: typeof WRITE, sign: Forgery["sign"]) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const parts = { ...request, timestamp };
  const headers: Header[] = [
    ["Authorization", key.api_key],
    [`X-${BRAND}-Timestamp`, timestamp],
    [`X-${BRAND}-Nonce`, randomUUID()],
    [`X-${BRAND}-Signature`, sign(parts, key)],
    ["Content-Type", "application/json"],
  ];
  const target = request.query === "" ? request.path : `${request.path}?${request.query}`;
  const answer = await exchange(BASE_URL, { method: request.method, target, headers, body: request.body || undefined });
  return {
    status: answer.status,
    requestId: String(answer.headers["x-request-id"]),
    expected: hmac(key.api_secret, joined(parts)),
    text: answer.text,
  };
}

test("sixteen forged signatures are each named, a random one is not, and nothing reveals the secret or the right signature", async ({
  browser,
}) => {
  const key = await newKey(`Forged ${randomUUID().slice(0, 8)}`);
  const random: Forgery = { mistake: "", request: WRITE, sign: () => randomBytes(32).toString("hex") };
  const page = await browserOf(browser, "owner");
  const sent: { mistake: string; requestId: string; expected: string; text: string }[] = [];
  for (const { mistake, request, sign } of [...FORGERIES, random]) {
    const answer = await sendSigned(key, request, sign);
    expect(answer.status, mistake).toBe(401);
    sent.push({ mistake, ...answer });
  }
  // The right one in capitals is not a mistake: it is accepted.
  const capitals = await sendSigned(key, WRITE, (parts, { api_secret }) => hmac(api_secret, joined(parts)).toUpperCase());
  expect(capitals.status).toBe(200);

  const seen: string[] = sent.map(({ text }) => text);
  page.on("response", async (response) => seen.push(await response.text().catch(() => "")));
  for (const { mistake, requestId } of sent) {
    await expect.poll(async () => (await ask(page, "apiLog.explain", { request_id: requestId })).status, { message: mistake }).toBe(200);
    const { data } = await ask(page, "apiLog.explain", { request_id: requestId });
    expect(data).toMatchObject({ verdict: { mistakes: mistake === "" ? [] : [{ id: mistake }] } });
    seen.push(JSON.stringify(data));
    await page.goto(`${BASE_URL}${LOG}/${requestId}`);
    const verdict = mistake === "" ? "No common mistake matched" : "The signature";
    await expect(page.getByRole("status").filter({ hasText: verdict }), mistake).toBeVisible();
    if (mistake !== "") await expect(page.locator(`[data-mistake="${mistake}"]`)).toBeVisible();
    seen.push(await page.content());
  }
  const all = seen.join("\n");
  for (const { expected } of sent)
    for (const hidden of [expected, Buffer.from(expected, "hex").toString("base64")]) expect(all).not.toContain(hidden);
  expect(all).not.toContain(key.api_secret);
  expect(all).not.toContain(key.api_key);
  await page.context().close();
});

test("the debugger ticks off each check, draws what is invisible, and compares one's own signing string", async ({ browser }) => {
  const key = await newKey(`Checks ${randomUUID().slice(0, 8)}`);
  const { requestId } = await sendSigned(key, WRITE, (parts, { api_secret }) => hmac(api_secret, joined(parts, "\r\n")));
  const page = await browserOf(browser, "approver");
  await expect.poll(async () => (await ask(page, "apiLog.explain", { request_id: requestId })).status).toBe(200);
  await open(page, `${LOG}/${requestId}`);
  for (const name of [
    "headers",
    "key",
    "timestamp_form",
    "timestamp_skew",
    "nonce_form",
    "nonce_unused",
    "signature_form",
    "content_type",
  ]) {
    await expect(page.locator(`[data-check="${name}"]`), name).toHaveAttribute("data-outcome", "passed");
  }
  await expect(page.locator('[data-check="signature"]')).toHaveAttribute("data-outcome", "failed");
  const { data } = await ask(page, "apiLog.explain", { request_id: requestId });
  const { timestamp } = (data as { components: { timestamp: string } }).components;
  await expect(page.getByRole("row", { name: /^5 body/ })).toContainText(String(Buffer.byteLength(BODY)));
  await page.getByLabel("Your signing string").fill(`${timestamp}\\r\\nPOST\n/api/v1/echo\n\n${BODY}`);
  await page.getByLabel(/as the characters that they mean/).check();
  await expect(page.getByText(/^1 difference\./)).toBeVisible();
  await expect(page.locator("del")).toContainText("␍");
  await page.getByLabel("Your signing string").fill(`${timestamp}\nPOST\n/api/v1/echo\n\n${BODY}`);
  await expect(page.getByText(/^No difference/)).toBeVisible();
  await page.context().close();
});

test("the documentation's debugger names the mistake without a network, and asks nothing of anybody", async ({ page }) => {
  const troubles = watch(page);
  await page.goto(`${BASE_URL}/docs/signature-debugger`, { waitUntil: "networkidle" });
  // It works once its handlers are attached.
  await expect(async () => {
    for (const label of ["Timestamp header", "Signature that you sent", "API secret"]) {
      await page.getByLabel(label).fill("");
      await page.getByLabel(label).fill("1");
    }
    await expect(page.getByRole("button", { name: "Find the mistake" })).toBeEnabled({ timeout: 500 });
  }).toPass();
  await page.context().setOffline(true);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const secret = `sec_test_${randomBytes(24).toString("base64url")}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const fill = async (request: typeof WRITE, signature: string) => {
    await page.getByLabel("Timestamp header").fill(timestamp);
    await page.getByLabel("Method").fill(request.method);
    await page.getByLabel("Path").fill(request.path);
    await page.getByLabel("Query").fill(request.query);
    await page.getByLabel("Body", { exact: true }).fill(request.body);
    await page.getByLabel("Signature that you sent").fill(signature);
    await page.getByLabel("API secret").fill(secret);
    await page.getByLabel(/^API key/).fill("key_test_of_the_story");
    await page.getByRole("button", { name: "Find the mistake" }).click();
  };
  for (const { mistake, request, sign } of FORGERIES) {
    await fill(request, sign({ ...request, timestamp }, { api_key: "key_test_of_the_story", api_secret: secret }));
    await expect(page.locator(`[data-mistake="${mistake}"]`), mistake).toBeVisible();
  }
  await fill(WRITE, randomBytes(32).toString("hex"));
  await expect(page.getByRole("status").filter({ hasText: "No common mistake matched" })).toBeVisible();
  await fill(WRITE, hmac(secret, joined({ ...WRITE, timestamp })));
  await expect(page.getByRole("status").filter({ hasText: "The signature is right" })).toBeVisible();
  expect(requests).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]))).not.toContain(secret);
  await page.context().setOffline(false);
  expect(troubles).toEqual([]);
});

test("the checklist before live mode is the documentation's, in its words and order, ticked for the partner", async ({ browser }) => {
  const page = await browserOf(browser, "owner");
  const troubles = watch(page);
  await open(page, "/console/developers/go-live");
  const steps = page.getByRole("list", { name: "Steps before live mode" }).getByRole("listitem");
  await expect(steps.first()).toBeVisible();
  const shown = await steps.evaluateAll((items) =>
    items.map((item) => ({
      text: [...item.querySelectorAll("p")].slice(0, 2).map((each) => each.firstChild?.textContent?.trim().replace(/\.$/, "")),
      links: [...item.querySelectorAll("a")].map((link) => link.getAttribute("href")).toSorted(),
    })),
  );
  // The sandbox's first partner: it has a callback secret and its pairs, and its key need not sign.
  await expect(steps.filter({ hasText: "You have a callback secret" })).toHaveAttribute("data-done", "true");
  await expect(steps.filter({ hasText: "Every key signs every request" })).not.toHaveAttribute("data-done");
  await page.goto(`${BASE_URL}/docs/go-live`);
  const documented = await page.locator("section[aria-labelledby=checklist] ol > li").evaluateAll((items) =>
    items.map((item) => ({
      text: [
        item.querySelector("strong")?.textContent,
        (item.textContent ?? "").slice(item.querySelector("strong")?.textContent.length),
      ].map((each) => each?.replace("How it works, do it in the console.", "").trim().replace(/\.$/, "")),
      links: [...item.querySelectorAll("a")].map((link) => link.getAttribute("href")).toSorted(),
    })),
  );
  expect(documented.length).toBeGreaterThan(5);
  expect(shown).toEqual(documented);
  expect(troubles).toEqual([]);
  await page.context().close();
});
