import { expect, test } from "@playwright/test";
import type { Answer } from "#sandbox/client/exchange.ts";
import { Postman } from "../support/postman.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { until } from "../support/settlements.ts";

/** The Postman collection, sent in order as a newcomer would: what its script signs is accepted, and what it shows is answered. */

/** An operation of an OpenAPI document. */
type Documented = { summary: string; "x-callers": string[] };

async function open(): Promise<Postman> {
  const answer = await fetch(`${BASE_URL}/docs/postman.json`);
  expect(answer.headers.get("content-disposition")).toContain("postman_collection.json");
  const postman = new Postman(await answer.text());
  postman.set("api_key", sandbox.partner.api_key);
  postman.set("api_secret", sandbox.partner.api_secret);
  return postman;
}

function bodyOf(answer: Answer, status: number) {
  expect(answer.status, answer.text).toBe(status);
  return answer.text === "" ? null : JSON.parse(answer.text);
}

const QUIET = { callback_url: "http://127.0.0.1:9/callbacks" };
const CREATE = "Create a settlement and get its quote";

test("a settlement goes through the collection from its quote to a callback that is sent again", async () => {
  const postman = await open();
  const { tx_id } = bodyOf(await postman.send(CREATE), 201);
  expect(bodyOf(await postman.send("Get a settlement with its undelivered callbacks"), 200)).toMatchObject({
    tx_id,
    status: "quoted",
    approval_state: null,
  });
  bodyOf(await postman.send("Confirm a quote. The path names the settlement", { changes: QUIET }), 200);
  await until(
    async () => bodyOf(await postman.send("List a settlement's callbacks with every attempt"), 200).data,
    (callbacks) => callbacks.length === 1,
    60_000,
  );
  bodyOf(await postman.send("Send a callback once now, in addition to its six attempts"), 202);
  expect(bodyOf(await postman.send("Resend a callback, with six new attempts"), 409)).toMatchObject({ code: "invalid_state" });
  bodyOf(await postman.send("Get the signed quote and, once executed, the signed receipt. Anyone can verify them"), 200);
  bodyOf(await postman.send("List settlements, newest first", { query: "?limit=1&external_merchant_id=caf%C3%A9" }), 200);
  for (const name of ["Cancel a settlement that the body names", "Cancel a settlement that the path names"]) {
    const made = bodyOf(await postman.send(CREATE), 201);
    expect(bodyOf(await postman.send(name), 200)).toMatchObject({ tx_id: made.tx_id, status: "cancelled" });
  }
  bodyOf(await postman.send(CREATE), 201);
  expect(bodyOf(await postman.send("Confirm a quote. The body names the settlement", { changes: QUIET }), 200)).toMatchObject({
    status: "processing",
  });
  for (const name of ["List the pairs that you can get quotes for", "Preview a rate. Nothing is stored"])
    bodyOf(await postman.send(name), 200);
});

test("a batch goes through the collection: made, read, confirmed", async () => {
  const postman = await open();
  bodyOf(await postman.send("Estimate the price of a batch. Nothing is stored"), 200);
  const { batch_id } = bodyOf(await postman.send("Create up to 500 settlements together: all of them or none", { changes: QUIET }), 201);
  const read = "Get a batch. To get its items, list settlements by batch_id";
  expect(bodyOf(await postman.send(read), 200)).toMatchObject({ batch_id, status: "quoted", item_count: 2 });
  bodyOf(await postman.send("Renew every expired quote in a batch"), 200);
  expect(bodyOf(await postman.send("Confirm a batch: all of its items or none"), 200)).toMatchObject({ batch_id, status: "processing" });
  const end = await until(
    async () => bodyOf(await postman.send(read), 200),
    ({ status }) => status === "completed",
    60_000,
  );
  expect(end).toMatchObject({ counts: { executed: 2 } });
});

test("fiat goes in and out by the collection, for the member that it makes", async () => {
  const postman = await open();
  bodyOf(await postman.send("Current Partner"), 200);
  const { external_user_id } = bodyOf(await postman.send("Create Member"), 201);
  const member = await until(
    async () => bodyOf(await postman.send("Get Member"), 200),
    ({ safe_status }) => safe_status === "deployed",
    60_000,
  );
  expect(member.external_user_id).toBe(external_user_id);
  bodyOf(await postman.send("Get Member Safe Info"), 200);
  const isOver = ({ status }: { status: string }) => status === "completed" || status === "failed";
  for (const [make, read] of [
    ["Topup Fiat", "Topup Fiat Status"],
    ["Withdraw Fiat", "Withdraw Fiat Status"],
    ["Withdraw Fiat For Registered Member", "Withdraw Fiat Status"],
  ] as const) {
    const made = bodyOf(await postman.send(make, { changes: QUIET }), 201);
    const end = await until(async () => bodyOf(await postman.send(read), 200), isOver, 60_000);
    expect(end).toMatchObject({ id: made.id, status: "completed" });
  }
  for (const name of [
    "Get Withdraw Fiat Pool Info",
    "Get All Transactions",
    "Exchange Rates",
    "Convert To Currency",
    "Get Members",
    "List Api Keys",
  ])
    bodyOf(await postman.send(name), 200);
});

test("an operator's requests are separate, need the operator's key, and work with it; what needs no key is sent without one", async () => {
  const postman = await open();
  await expect(postman.send("Read Partners")).rejects.toThrow("operator_api_key");
  postman.set("operator_api_key", sandbox.operator.api_key);
  const made = bodyOf(await postman.send("Create Partner"), 201);
  expect(bodyOf(await postman.send("Update Charge Fee"), 200).id).toBe(made.id);
  const key = bodyOf(await postman.send("Create Api Key"), 201);
  expect(key.partner_id).toBe(made.id);
  // The new partner's secret, not that of the sandbox's: the other stories know that one.
  postman.set("api_key", key.api_key);
  postman.set("api_secret", key.api_secret);
  expect(bodyOf(await postman.send("Current Partner"), 200).id).toBe(made.id);
  await expect(postman.send("Rotate Callback Secret")).rejects.toThrow("allow_changes");
  postman.set("allow_changes", "yes");
  expect(bodyOf(await postman.send("Rotate Callback Secret"), 201)).toHaveProperty("previous_expires_at");
  bodyOf(await postman.send("Read business time"), 200);
  for (const name of ["What time it is here", "Get the public keys that verify quotes, receipts and callbacks"])
    bodyOf(await postman.send(name), 200);
});

test("the collection says what is missing, has every operation but the provider's, and keeps no secret", async () => {
  const postman = await open();
  postman.set("api_secret", "");
  await expect(postman.send(CREATE)).rejects.toThrow("api_key and api_secret");
  const text = await (await fetch(`${BASE_URL}/docs/postman.json`)).text();
  for (const secret of [sandbox.partner.api_key, sandbox.partner.api_secret, sandbox.operator.api_key]) expect(text).not.toContain(secret);
  const names = [...postman.requests.values()].flat().map(({ name }) => name);
  for (const surface of ["settlement", "partner", "sandbox"]) {
    const document = await (await fetch(`${BASE_URL}/openapi/${surface}.json`)).json();
    const operations: Documented[] = Object.values<Record<string, Documented>>(document.paths).flatMap((methods) => Object.values(methods));
    for (const { summary, "x-callers": callers } of operations) {
      if (callers.includes("provider")) expect(names).not.toContain(summary);
      else expect(names).toContain(summary);
    }
  }
});
