import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import type { z } from "zod";
import { listSettlementsOperation } from "#contract/settlement/v1/operations.ts";
import { expectFault, expectRefusal, read } from "../support/answers.ts";
import { partner } from "../support/client.ts";
import { chain } from "../support/running-sandbox.ts";
import { approve, confirm, find, freshReference, pendingQuote, quote, SETTLEMENTS } from "../support/settlements.ts";

/** Contract, part 2: GET one, GET many. */

type Page = z.infer<typeof listSettlementsOperation.result>;

async function list(query: Record<string, string | number>): Promise<Page> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return read(listSettlementsOperation, await partner.get(text === "" ? SETTLEMENTS : `${SETTLEMENTS}?${text}`));
}
const ids = (page: Page) => page.data.map(({ tx_id }) => tx_id);

/** Quotes of a merchant that no other story knows, oldest first. */
async function quotesOfFreshMerchant(count: number): Promise<{ merchant: string; made: string[] }> {
  const merchant = `merchant-${randomUUID()}`;
  const made: string[] = [];
  for (let index = 0; index < count; index += 1) made.push((await quote({ external_merchant_id: merchant })).tx_id);
  return { merchant, made };
}

test("a settlement that is not there, or whose id cannot be one, is 404", async () => {
  for (const id of ["tx_00000000000000000000000000", "nonsense", "tx_", "%F0%9F%92%B0", "tx_%00", "a%2Fb"]) {
    expectRefusal(await partner.get(`${SETTLEMENTS}/${id}`), 404, "settlement_not_found");
    expectRefusal(await partner.get(`${SETTLEMENTS}/${id}/callbacks`), 404, "settlement_not_found");
  }
});

test("GET takes no query", async () => {
  const { tx_id } = await quote();
  expectFault(await partner.get(`${SETTLEMENTS}/${tx_id}?expand=all`), "validation_failed", { parameter: "expand" });
});

test("the list is newest first, and shows each settlement as GET does", async () => {
  const { merchant, made } = await quotesOfFreshMerchant(3);
  const page = await list({ external_merchant_id: merchant });
  expect(ids(page)).toEqual(made.toReversed());
  expect(page.next_cursor).toBeNull();
  expect(page.data[0]).toEqual(await find(made[2] ?? ""));
});

test("cursors walk every settlement exactly once, also while new ones are made", async () => {
  const { merchant, made } = await quotesOfFreshMerchant(7);
  const seen: string[] = [];
  let page = await list({ external_merchant_id: merchant, limit: 3 });
  for (;;) {
    seen.push(...ids(page));
    expect(page.data.length).toBeLessThanOrEqual(3);
    if (page.next_cursor === null) break;
    await quote({ external_merchant_id: merchant });
    page = await list({ external_merchant_id: merchant, limit: 3, cursor: page.next_cursor });
  }
  expect(seen).toEqual(made.toReversed());
});

test("a page that ends exactly at the last settlement has no next one", async () => {
  const { merchant } = await quotesOfFreshMerchant(2);
  expect((await list({ external_merchant_id: merchant, limit: 2 })).next_cursor).toBeNull();
  expect((await list({ external_merchant_id: merchant, limit: 1 })).next_cursor).not.toBeNull();
});

test("a page has 25 unless said, 100 at most", async () => {
  const { merchant } = await quotesOfFreshMerchant(26);
  expect((await list({ external_merchant_id: merchant })).data).toHaveLength(25);
  expect((await list({ external_merchant_id: merchant, limit: 100 })).data).toHaveLength(26);
});

test("status, approval_state, external_tx_id, merchant and chain filter, alone and together", async () => {
  const merchant = `merchant-${randomUUID()}`;
  const plain = await quote({ external_merchant_id: merchant });
  const pending = await pendingQuote({ external_merchant_id: merchant });
  const approved = await pendingQuote({ external_merchant_id: merchant });
  await approve(approved.tx_id);
  const cancelled = await quote({ external_merchant_id: merchant });
  await partner.post(`${SETTLEMENTS}/${cancelled.tx_id}/cancel`);
  const confirmed = await quote({ external_merchant_id: merchant });
  const external_tx_id = freshReference();
  await confirm(confirmed.tx_id, { external_tx_id });

  const found = async (query: Record<string, string>) => ids(await list({ external_merchant_id: merchant, ...query }));
  expect(await found({})).toHaveLength(5);
  expect(await found({ status: "quoted" })).toEqual([approved.tx_id, pending.tx_id, plain.tx_id]);
  expect(await found({ status: "cancelled" })).toEqual([cancelled.tx_id]);
  expect(await found({ approval_state: "pending" })).toEqual([pending.tx_id]);
  expect(await found({ approval_state: "approved" })).toEqual([approved.tx_id]);
  expect(await found({ approval_state: "rejected" })).toEqual([]);
  expect(await found({ approval_state: "pending", status: "cancelled" })).toEqual([]);
  expect(await found({ external_tx_id })).toEqual([confirmed.tx_id]);
  expect(ids(await list({ external_tx_id }))).toEqual([confirmed.tx_id]);
  expect(await found({ chain: chain.chain })).toHaveLength(5);
});

test("created_from is inclusive, created_to exclusive", async () => {
  const { merchant, made } = await quotesOfFreshMerchant(3);
  const middle = await find(made[1] ?? "");
  const found = async (query: Record<string, string>) => ids(await list({ external_merchant_id: merchant, ...query }));
  expect(await found({ created_from: middle.created_at })).toEqual([made[2], made[1]]);
  expect(await found({ created_to: middle.created_at })).toEqual([made[0]]);
  expect(await found({ created_from: middle.created_at, created_to: middle.created_at })).toEqual([]);
  const elsewhere = new Date(new Date(middle.created_at).getTime() + 3_600_000).toISOString().replace("Z", "+01:00");
  expect(await found({ created_from: elsewhere })).toEqual([made[2], made[1]]);
});

for (const [query, parameter] of [
  ["state=quoted", "state"],
  ["status=open", "status"],
  ["status=", "status"],
  ["status=quoted&status=failed", "status"],
  ["status=quoted&status=quoted", "status"],
  ["approval_state=null", "approval_state"],
  ["chain=ethereum", "chain"],
  ["chain=eip155:1", "chain"],
  ["created_from=yesterday", "created_from"],
  ["created_from=2026-01-01", "created_from"],
  ["created_to=2026-13-01T00:00:00Z", "created_to"],
  ["limit=0", "limit"],
  ["limit=101", "limit"],
  ["limit=-1", "limit"],
  ["limit=2.5", "limit"],
  ["limit=many", "limit"],
  ["cursor=nonsense", "cursor"],
  ["cursor=", "cursor"],
  [`cursor=${Buffer.from("0 tx_x").toString("base64url")}`, "cursor"],
] as const) {
  test(`the query ${query} is refused by its name`, async () => {
    expectFault(await partner.get(`${SETTLEMENTS}?${query}`), "validation_failed", { parameter });
  });
}
