import { type Browser, expect, type Locator, type Page, test } from "@playwright/test";
import { exchangeRatesOperation } from "#contract/partner/rate-operations.ts";
import { rejectSettlementOperation } from "#contract/settlement/v1/decisions.ts";
import { read, readJson } from "../support/answers.ts";
import { resultOf } from "../support/calls.ts";
import { operator, partner } from "../support/client.ts";
import { advancePast } from "../support/clock.ts";
import {
  acknowledge,
  approveOf,
  browserOf,
  dialogOf,
  footOf,
  notesOf,
  open,
  panelOf,
  prove,
  proveIfAsked,
  type Role,
  watch,
} from "../support/console.ts";
import { expectFocusSeen } from "../support/focus.ts";
import { BASE_URL } from "../support/running-sandbox.ts";
import {
  approve,
  callbacksOf,
  confirm,
  ended,
  find,
  freshReference,
  freshWallet,
  QUIET_URL,
  quote,
  setRate,
} from "../support/settlements.ts";

/** The decisions: deliberate, on the price that was seen, by as many people as it takes, and the same in every browser. */

let serial = 0;
/** A unique name, to find a settlement by. */
const freshMerchant = () => {
  serial += 1;
  return `console-approvals-${Date.now()}-${serial}`;
};

/** A settlement above the maximum that one may approve. */
async function awaiting(changes: Record<string, unknown> = {}) {
  const merchant = freshMerchant();
  const settlement = await quote({ source_amount: 250_000_000 + serial * 100, external_merchant_id: merchant, ...changes });
  expect(settlement.approval_state).toBe("pending");
  return { settlement, merchant };
}

/** One that two must approve. */
const awaitingTwo = () => awaiting({ source_amount: 650_000_000, callback_url: QUIET_URL });

type Awaiting = Awaited<ReturnType<typeof awaiting>>;
const rowOf = (page: Page, { merchant }: Awaiting): Locator => page.getByRole("listitem").getByRole("button").filter({ hasText: merchant });
const approveButton = (page: Page) => approveOf(page);
const commitButton = (page: Page) => footOf(page).getByRole("button", { name: /^Approve / });
const historyOf = async (page: Page, { settlement }: Awaiting) => {
  await open(page, `/console/settlements/${settlement.tx_id}`);
  return page.getByRole("list", { name: "Timeline" });
};

/** The queue with that settlement chosen. */
async function inQueue(browser: Browser, { settlement }: Awaiting, role: Role = "approver", tab = "waiting"): Promise<Page> {
  const page = await browserOf(browser, role);
  await open(page, `/console/approvals?tab=${tab}&tx=${settlement.tx_id}`);
  await expect(page.locator(`#row-${settlement.tx_id}`)).toHaveAttribute("aria-current", "true");
  return page;
}

/** A procedure called as the page itself would. */
async function callAs(page: Page, path: string, input: unknown) {
  const answer = await page.request.post(`${BASE_URL}/api/trpc/${path}`, { data: input, headers: { origin: BASE_URL } });
  const body = await answer.json();
  return { status: answer.status(), code: body.error?.data?.refusal?.code, data: body.result?.data };
}

/** What the panel is about, written out: so that a digit lost on the way is seen. */
const digits = (value: number) => value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 8 });
/** Eight decimals as a whole number: nothing here may round. */
const exact = (text: string) => {
  const [whole = "", fraction = ""] = text.replace(/[−\s,]/g, "").split(".");
  return BigInt(whole + fraction.padEnd(8, "0"));
};

/** The cells of a line of the price table. */
const line = (page: Page, name: string) =>
  panelOf(page)
    .getByRole("row", { name: new RegExp(`^${name}`) })
    .getByRole("cell");

test("approving by keyboard alone: the panel begins with who is paid, says everything, and the next row is at hand afterwards", async ({
  browser,
}) => {
  const first = await awaiting({ callback_url: QUIET_URL });
  const second = await awaiting();
  const page = await inQueue(browser, first);
  const troubles = watch(page);
  await page.keyboard.press("j");
  await expect(page.getByRole("listitem").locator("button:focus")).toHaveCount(1);
  await expectFocusSeen(page);
  await page.keyboard.press("k");
  await expect(rowOf(page, first)).toBeFocused();
  await expectFocusSeen(page);
  await page.keyboard.press("Enter");
  const heading = page.locator("#review-heading");
  await expect(heading).toBeFocused();
  await expectFocusSeen(page);
  await page.keyboard.press("Escape");
  await expect(rowOf(page, first)).toBeFocused();
  await expectFocusSeen(page);
  await page.keyboard.press("a");
  await expect(heading).toBeFocused();
  await expect(heading).toHaveText(`Demo Partner → ${first.merchant}`);
  await expectFocusSeen(page);
  await expect(dialogOf(page)).toHaveCount(0);
  expect((await find(first.settlement.tx_id)).approval_state).toBe("pending");
  const panel = panelOf(page);
  // The price has not moved: one line, which adds up.
  await expect(panel.getByRole("table")).toHaveCount(0);
  const price = (await panel.getByText("Same price:").locator("..").innerText()).match(/([\d,.]+) − ([\d,.]+) fee = ([\d,.]+) USDT/);
  const [gross, fee, net] = (price ?? []).slice(1).map(exact);
  expect((gross ?? 0n) - (fee ?? 0n)).toBe(net);
  expect(net).toBe(exact(digits(first.settlement.destination_amount)));
  await expect(panel).toContainText(QUIET_URL);
  await expect(panel).toContainText("Above 1,000,000.00 KES: one approval; above 5,000,000.00 KES: two.");
  await expect(panel).toContainText(/Wallet covers .* ×/);
  await expect(panel).toContainText("Approving moves no funds. The partner must confirm by");
  // The warning is acknowledged by the keyboard, on the way to the button that commits.
  await expect(panel).toContainText("Acknowledge the warning above first.");
  await expect(commitButton(page)).toBeDisabled();
  await page.keyboard.press("Control+Enter");
  expect((await find(first.settlement.tx_id)).approval_state).toBe("pending");
  for (let presses = 0; presses < 16; presses += 1) {
    await page.keyboard.press("Tab");
    await expectFocusSeen(page);
    const focused = page.locator(":focus");
    if ((await focused.getAttribute("type")) === "checkbox") await page.keyboard.press("Space");
    if ((await focused.textContent())?.startsWith("Approve ")) break;
  }
  await expect(commitButton(page)).toBeFocused();
  await page.keyboard.press("Control+Enter");
  await expect(footOf(page)).toBeHidden();
  await expect(rowOf(page, first)).toBeHidden();
  await expect(page.getByRole("listitem").locator("button:focus")).toHaveCount(1);
  await expectFocusSeen(page);
  await expect(page.getByRole("status").filter({ hasText: `Approved ${first.merchant}` })).toHaveCount(1);
  expect(await find(first.settlement.tx_id)).toMatchObject({ status: "quoted", approval_state: "approved" });
  expect(await callbacksOf(first.settlement.tx_id)).toHaveLength(1);
  await expect(rowOf(page, second)).toBeVisible();
  expect(troubles).toEqual([]);
  // Who acknowledged it is kept, for operators.
  await expect(await historyOf(page, first)).toContainText("Warnings acknowledged");
  await page.context().close();
});

async function shownIn(page: Page, name: string, column: number): Promise<string> {
  return (await line(page, name).nth(column).innerText()).split("\n")[0] ?? "";
}

/** The entries of the audit log that a settlement has of an action. */
async function loggedOf(page: Page, tx_id: string, action: string) {
  const { data } = await resultOf<{ data: { action: string; reason: string | null }[] }>(page, "audit.ofObject", { object_id: tx_id });
  return data.filter((entry) => entry.action === action);
}

test("neither a key nor a double click commits by itself, and two submits are one approval", async ({ browser }) => {
  const waiting = await awaiting({ callback_url: QUIET_URL });
  const { tx_id } = waiting.settlement;
  const page = await inQueue(browser, waiting);
  const sent: string[] = [];
  page.on("request", (request) => request.url().includes("approvals.approve") && sent.push(request.url()));
  await page.keyboard.press("a");
  await expect(footOf(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await acknowledge(page);
  await approveButton(page).dblclick();
  await expect(commitButton(page)).toBeEnabled();
  expect((await find(tx_id)).approval_state).toBe("pending");
  await commitButton(page).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
    button.form?.requestSubmit();
  });
  await expect(footOf(page)).toBeHidden();
  expect((await find(tx_id)).approval_state).toBe("approved");
  expect(sent).toHaveLength(1);
  expect(await callbacksOf(tx_id)).toHaveLength(1);
  expect(await loggedOf(page, tx_id, "settlement.approved")).toHaveLength(1);
  await expect((await historyOf(page, waiting)).getByText(/^Approved by/)).toHaveCount(1);
  await page.context().close();
});

test("a rate that moved beyond the tolerance between preview and submit approves nothing and shows the new price", async ({ browser }) => {
  const waiting = await awaiting({ source_currency: "PHP", source_amount: 200_000_000 });
  const { tx_id, exchange_rate } = waiting.settlement;
  const before = await midRate("PHP", "USDT");
  const page = await inQueue(browser, waiting);
  try {
    await acknowledge(page);
    await approveButton(page).click();
    await expect(commitButton(page)).toBeEnabled();
    await setRate("PHP", "USDT", Number((before * 1.05).toPrecision(8)));
    await commitButton(page).click();
    await expect(footOf(page).getByRole("alert")).toContainText(/Nothing was approved.*The rate has moved by \+\d+ basis points/);
    // The price has moved, so the panel compares all of it.
    await expect(line(page, "Rate").first()).toHaveText(String(exchange_rate));
    await expect(line(page, "Rate").last()).toHaveText(/^\+0\.\d+\+\d+(\.\d\d)? bps$/);
    await expect(line(page, "Net").last()).toHaveText(/^\+[\d,.]+\+[\d.]+ %$/);
    expect(exact(await shownIn(page, "Net", 0))).toBe(exact(digits(waiting.settlement.destination_amount)));
    const proposed = await shownIn(page, "Net", 1);
    const until = await line(page, "Valid until").nth(1).locator("time").getAttribute("datetime");
    expect(Date.parse(until ?? "")).toBeGreaterThan(Date.parse(waiting.settlement.expires_at));
    await expect(panelOf(page)).toContainText("No callback address at creation");
    expect((await find(tx_id)).approval_state).toBe("pending");
    for (const column of [0, 1]) {
      const [gross, fee, net] = await Promise.all(["Gross", "Fee", "Net"].map(async (name) => exact(await shownIn(page, name, column))));
      expect((gross ?? 0n) - (fee ?? 0n)).toBe(net);
    }
    await footOf(page)
      .getByRole("checkbox", { name: /I have read the new price/ })
      .check();
    await commitButton(page).click();
    await expect(footOf(page)).toBeHidden();
    const approved = await find(tx_id);
    expect(approved.exchange_rate).toBeGreaterThan(exchange_rate);
    expect(exact(proposed)).toBe(exact(digits(approved.destination_amount)));
  } finally {
    await setRate("PHP", "USDT", before);
  }
  await page.context().close();
});

/** As everybody may read it. */
async function midRate(source: string, destination: string): Promise<number> {
  const rates = read(exchangeRatesOperation, await operator.call("GET", "/exchange-rates"));
  const found = rates.find((each) => each.source_currency === source && each.destination_currency === destination);
  if (found === undefined) throw new Error(`there is no rate of ${source} to ${destination}`);
  return found.rate;
}

test("rejecting needs a reason of eight characters, which the detail shows; no callback is made", async ({ browser }) => {
  const waiting = await awaiting({ callback_url: QUIET_URL });
  const { tx_id } = waiting.settlement;
  const page = await inQueue(browser, waiting);
  await page.keyboard.press("r");
  const dialog = footOf(page);
  const commit = dialog.getByRole("button", { name: "Reject settlement" });
  await expect(commit).toBeDisabled();
  const reason = dialog.getByLabel("Reason", { exact: true });
  for (const text of ["  seven  ", "seven !", "eight !!"]) {
    await reason.fill(text);
    await expect(commit).toBeEnabled({ enabled: text === "eight !!" });
  }
  await reason.fill("The licence has lapsed");
  await page.keyboard.press("Control+Enter");
  await expect(dialog).toBeHidden();
  const rejected = { status: "cancelled", approval_state: "rejected", rejection_reason: "The licence has lapsed" };
  expect(await find(tx_id)).toMatchObject(rejected);
  expect(await callbacksOf(tx_id)).toHaveLength(0);
  await expect(await historyOf(page, waiting)).toContainText("The licence has lapsed");
  await expect(page.getByText("Rejected: The licence has lapsed")).toBeVisible();
  expect(await loggedOf(page, tx_id, "settlement.rejected")).toMatchObject([{ reason: "The licence has lapsed" }]);
  await open(page, `/console/audit?object=${tx_id}`);
  await expect(page.getByRole("table", { name: /newest first$/ })).toContainText("The licence has lapsed");
  const owner = await browserOf(browser, "owner");
  await expect(await historyOf(owner, waiting)).toContainText("Rejected by the operator");
  await expect(owner.getByText("Rejected: The licence has lapsed")).toBeVisible();
  for (const each of [owner, page]) await each.context().close();
});

test("another browser sees who looks at what, and a decision as it is made; a late decision is refused and names who was first", async ({
  browser,
}) => {
  const waiting = await awaiting();
  const ana = await inQueue(browser, waiting, "admin");
  const ben = await inQueue(browser, waiting, "approver");
  await expect(rowOf(ben, waiting)).toContainText("Being reviewed by Ada Admin");
  const late = await inQueue(browser, waiting, "approver");
  await late.getByRole("button", { name: "Reject", exact: true }).click();
  await footOf(late).getByLabel("Reason", { exact: true }).fill("Too late for this one");
  await acknowledge(ana);
  await approveButton(ana).click();
  const answered = ana.waitForResponse((response) => response.url().includes("approvals.approve"));
  await commitButton(ana).click();
  expect((await answered).status()).toBe(200);
  await expect(rowOf(ben, waiting)).toContainText("Already approved by Ada Admin");
  await expect(panelOf(late).getByRole("alert")).toContainText("Already approved by Ada Admin");
  await expect(panelOf(late)).toContainText("Too late for this one");
  // Also when its row has left the list: what was typed stays to be copied until the panel is closed.
  await expect(rowOf(late, waiting)).toHaveCount(0, { timeout: 20_000 });
  await expect(panelOf(late)).toContainText("Too late for this one");
  await panelOf(late).getByRole("button", { name: "Close" }).click();
  await expect(panelOf(late).or(late.getByText("Nothing waiting")).first()).not.toContainText("Too late for this one");
  const { tx_id } = waiting.settlement;
  expect(await callAs(late, "approvals.reject", { tx_id, reason: "Too late for this one" })).toMatchObject({ code: "invalid_state" });
  expect((await find(waiting.settlement.tx_id)).approval_state).toBe("approved");
  for (const page of [ana, ben, late]) await page.context().close();
});

test("above the second threshold two people approve: after the first nothing has changed, and the same one cannot be the second", async ({
  browser,
}) => {
  const waiting = await awaitingTwo();
  const { tx_id } = waiting.settlement;
  const before = await find(tx_id);
  const ana = await inQueue(browser, waiting, "admin");
  await acknowledge(ana);
  await approveButton(ana).click();
  const dialog = footOf(ana);
  await expect(panelOf(ana)).toContainText("Two people must approve this amount.");
  await expect(commitButton(ana)).toBeDisabled();
  await dialog.getByLabel(/^Type the amount/).fill("6,500,000.01");
  await expect(commitButton(ana)).toBeDisabled();
  await dialog.getByLabel(/^Type the amount/).fill("6,500,000");
  await expect(dialog).toContainText("The price does not change while you type");
  await wantProof(ana);
  await commitButton(ana).click();
  await prove(ana, "admin");
  await expect(footOf(ana)).toHaveCount(0);
  await expect(ana.getByRole("status").filter({ hasText: "Approval recorded" }).first()).toBeAttached();
  expect(await find(tx_id)).toEqual(before);
  expect(await callbacksOf(tx_id)).toEqual([]);

  await open(ana, `/console/approvals?tab=second&tx=${tx_id}`);
  await expect(rowOf(ana, waiting)).toContainText("1 of 2");
  await expect(approveButton(ana)).toBeDisabled();
  await ana.keyboard.press("a");
  await expect(footOf(ana)).toHaveCount(0);
  const acknowledged_hints = ["first_wallet_use"];
  const again = await callAs(ana, "approvals.approve", { tx_id, expected_exchange_rate: String(before.exchange_rate), acknowledged_hints });
  expect(again).toMatchObject({ status: 409, code: "same_approver" });
  expect(await find(tx_id)).toEqual(before);

  const ben = await inQueue(browser, waiting, "approver", "second");
  await expect(ben.getByText("First approval by Ada Admin")).toBeVisible();
  await acknowledge(ben);
  await approveButton(ben).click();
  await expect(commitButton(ben)).toHaveText(/^Approve 2 of 2: /);
  await ben.getByLabel(/^Type the amount/).fill("6500000.00");
  await wantProof(ben);
  await ben.keyboard.press("Control+Enter");
  await prove(ben, "approver");
  // Under a dialog nothing of the page can be found, so what is decided says when it is over.
  await expect.poll(async () => (await find(tx_id)).approval_state).toBe("approved");
  await expect(footOf(ben)).toHaveCount(0);
  expect(await callbacksOf(tx_id)).toHaveLength(1);
  const history = await historyOf(ben, waiting);
  await expect(history).toContainText(/First of two approvals by Ada Admin/);
  const owner = await browserOf(browser, "owner");
  await expect(await historyOf(owner, waiting)).not.toContainText("First");
  for (const page of [ana, ben, owner]) await page.context().close();
});

/** The next approval comes from a session whose step-up is too old. */
async function wantProof(page: Page): Promise<void> {
  const refusal = {
    code: "step_up_required",
    title: "Confirm that it is you",
    status: 403,
    detail: "",
    request_id: null,
    errors: [],
    members: {},
  };
  const json = { error: { message: "step_up_required", code: -32_603, data: { refusal } } };
  await page.route("**/api/trpc/approvals.approve*", (route) => route.fulfill({ status: 403, json }), { times: 1 });
}

test("by the API an operator's key is one of the two, and answers that it still waits", async ({ browser }) => {
  const waiting = await awaitingTwo();
  const { tx_id } = waiting.settlement;
  expect(await approve(tx_id)).toEqual(await find(tx_id));
  expect((await find(tx_id)).approval_state).toBe("pending");
  const twice = await operator.call("POST", `/admins/settlements/${tx_id}/approve`, {});
  expect(twice.status).toBe(409);
  expect(readJson(twice, 409)).toMatchObject({ code: "same_approver" });
  const page = await inQueue(browser, waiting, "approver", "second");
  await page.keyboard.press("r");
  await footOf(page).getByRole("button", { name: "The merchant could not be verified." }).click();
  await footOf(page).getByRole("button", { name: "Reject settlement" }).click();
  await proveIfAsked(page, "approver", notesOf(page));
  await expect.poll(async () => (await find(tx_id)).approval_state).toBe("rejected");
  await expect(footOf(page)).toHaveCount(0);
  await page.context().close();
});

test("many are approved at once with one sum a currency, what is unusual or needs two left out, and each shows its result", async ({
  browser,
}) => {
  const wallet = freshWallet();
  const known = await quote({ wallet_address: wallet });
  await confirm(known.tx_id);
  await ended(known.tx_id);
  const plain = await awaiting({ wallet_address: wallet, callback_url: QUIET_URL });
  const gone = await awaiting({ wallet_address: wallet });
  const risky = await awaiting();
  const two = await awaitingTwo();
  const page = await inQueue(browser, plain);
  await page.keyboard.press("x");
  for (const each of [gone, risky, two]) await page.getByRole("checkbox", { name: new RegExp(each.merchant) }).check();
  await expect(rowOf(page, risky)).toContainText("First use of wallet");
  await page.getByRole("button", { name: "Approve selected…" }).click();
  const dialog = page.getByRole("region", { name: "Approve the selected" });
  await expect(dialog).toContainText("2 to approve");
  await expect(dialog).toContainText("2 excluded: review them one by one");
  const sum = BigInt(plain.settlement.source_amount) + BigInt(gone.settlement.source_amount);
  await expect(dialog.getByText(`${digits(Number(sum) / 100)} KES`, { exact: true }).first()).toBeVisible();
  const item = (each: Awaiting) => dialog.getByRole("listitem").filter({ hasText: each.merchant });
  await expect(item(two)).toContainText("Needs two approvals");
  await expect(item(risky).getByRole("checkbox", { name: "Warnings read: include it" })).not.toBeChecked();
  // Somebody decides one of them between the click and the answer.
  await page.route("**/api/trpc/approvals.approveMany*", async (route) => {
    const reason = "Somebody else was faster";
    read(rejectSettlementOperation, await operator.call("POST", `/admins/settlements/${gone.settlement.tx_id}/reject`, { reason }));
    await route.continue();
  });
  await wantProof(page);
  await dialog.getByRole("button", { name: "Approve 2 settlements" }).click();
  await prove(page, "approver");
  await expect(dialog).toContainText("1 of 2 approved. The others are unchanged.");
  await expect(item(plain)).toContainText("Approved");
  await expect(item(gone)).toContainText("Already rejected by an operator's key");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(rowOf(page, plain)).toBeHidden();
  expect((await find(plain.settlement.tx_id)).approval_state).toBe("approved");
  expect(await callbacksOf(plain.settlement.tx_id)).toHaveLength(1);
  for (const each of [risky, two]) expect((await find(each.settlement.tx_id)).approval_state).toBe("pending");
  const input = {
    items: [{ tx_id: two.settlement.tx_id, expected_exchange_rate: String(two.settlement.exchange_rate), acknowledged_hints: [] }],
  };
  expect((await callAs(page, "approvals.approveMany", input)).data).toMatchObject({ data: [{ outcome: "needs_two" }] });
  await page.context().close();
});

test("who may only look sees the queue without its buttons and keys, and is refused by the service too", async ({ browser }) => {
  const waiting = await awaiting();
  const page = await inQueue(browser, waiting, "viewer");
  await expect(approveButton(page)).toHaveCount(0);
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await page.keyboard.press("a");
  await expect(footOf(page)).toHaveCount(0);
  const { tx_id, exchange_rate } = waiting.settlement;
  const item = { tx_id, expected_exchange_rate: String(exchange_rate), acknowledged_hints: ["first_wallet_use"] };
  expect(await callAs(page, "approvals.approve", item)).toMatchObject({ status: 403, code: "forbidden" });
  expect(await callAs(page, "approvals.approveMany", { items: [item] })).toMatchObject({ status: 403 });
  expect(await callAs(page, "approvals.claim", { tx_id })).toMatchObject({ status: 403 });
  await page.context().close();
});

test("approving works on a phone, with buttons that a thumb finds and no bulk", async ({ browser }) => {
  const waiting = await awaiting();
  const page = await browserOf(browser, "approver", { viewport: { width: 390, height: 844 }, hasTouch: true });
  await open(page, "/console/approvals");
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await expect(approveButton(page)).toBeHidden();
  await rowOf(page, waiting).tap();
  expect((await approveButton(page).boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await acknowledge(page);
  await approveButton(page).tap();
  await commitButton(page).tap();
  await expect(footOf(page)).toBeHidden();
  expect((await find(waiting.settlement.tx_id)).approval_state).toBe("approved");
  await page.context().close();
});

test("a quote that lapsed while waiting stays approvable; once approved it lapses again, which is only shown", async ({ browser }) => {
  const waiting = await awaiting();
  const { tx_id, expires_at } = waiting.settlement;
  await advancePast(expires_at);
  const page = await inQueue(browser, waiting);
  await expect(page.getByText(/^Original quote lapsed; approving (re-prices|renews it until )/)).toBeVisible();
  await acknowledge(page);
  await approveButton(page).click();
  await commitButton(page).click();
  await expect(footOf(page)).toBeHidden();
  const approved = await find(tx_id);
  await advancePast(approved.expires_at);
  const confirmed = await partner.post(`/api/v1/settlements/${tx_id}/confirm`, {
    external_tx_id: freshReference(),
    callback_url: QUIET_URL,
  });
  expect(confirmed.status).toBe(410);
  await open(page, "/console/approvals?tab=lapsed");
  const row = page.getByRole("row").filter({ hasText: waiting.merchant });
  await expect(row).toContainText("Quote lapsed");
  await open(page, "/console/approvals?tab=decided");
  await expect(page.getByRole("row").filter({ hasText: waiting.merchant })).toContainText(/^Approved/);
  await open(page, `/console/settlements/${tx_id}`);
  await expect(page.getByText("Quote lapsed", { exact: true }).first()).toBeVisible();
  expect(await find(tx_id)).toMatchObject({ status: "quoted", approval_state: "approved" });
  await page.context().close();
});
