import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import recorded from "#contract/openapi-examples.json" with { type: "json" };
import { forgetProfiles, keepProfile, settle } from "#testing/settle.ts";

/** `settle get` for each kind of id, with a service that returns the recorded examples. */

const withdrawal = recorded.partner.answers.withdraw_fiat_status["200"];
const topup = recorded.partner.answers.topup_fiat_status["200"];
let asked: string[];
let answered: object;
let close: () => void;
let env: Record<string, string>;

beforeEach(async () => {
  asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answered));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => server.close();
  env = { SETTLE_PROFILE: keepProfile({ base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }) };
});
afterEach(() => {
  close();
  forgetProfiles();
});

test.each([
  ["pending", 0, "To be paid out"],
  ["completed", 0, "Paid out"],
  ["failed", 1, "Not paid out"],
])("a withdrawal that is %s is read under its own path, in words that are true of it", async (status, waited, words) => {
  answered = { ...withdrawal, id: "wd_1", status, currency: "KES", amount: 123_400, source_currency: "USDT", source_amount: 9.62 };
  const result = await settle(["get", "wd_1"], env);
  expect([result.code, result.stderr]).toEqual([0, ""]);
  expect(asked).toEqual(["/partners/transactions/withdraw-fiat/wd_1"]);
  expect(result.stdout).toMatch(/^Withdrawal +wd_1$/m);
  expect(result.stdout).toMatch(new RegExp(`^${words} +1234\\.00 KES`, "m"));
  expect(JSON.parse((await settle(["get", "wd_1", "--json"], env)).stdout)).toMatchObject({ id: "wd_1", source_amount: 9.62 });
  if (status !== "pending") expect((await settle(["get", "wd_1", "--wait"], env)).code).toBe(waited);
});

test.each([
  ["pending", "To be delivered"],
  ["completed", "Delivered"],
  ["failed", "Not delivered"],
])("a top-up that is %s is read under its own path, in words that are true of it", async (status, words) => {
  answered = { ...topup, id: "tu_1", status, destination_currency: "USDT", destination_amount: 7.5845 };
  const result = await settle(["get", "tu_1"], env);
  expect([result.code, result.stderr, asked]).toEqual([0, "", ["/partners/transactions/topup-fiat/tu_1"]]);
  expect(result.stdout).toMatch(new RegExp(`^${words} +7\\.5845 USDT$`, "m"));
});

test.each([
  [["cb_1"], "is a callback"],
  [["req_1"], "is a request"],
  [["wd_1", "--callbacks"], "The console lists callbacks"],
])("%j is not asked for: what it names is read elsewhere", async (argv, words) => {
  const result = await settle(["get", ...argv], env);
  expect([result.code, result.stdout, asked]).toEqual([2, "", []]);
  expect(result.stderr).toContain(words);
});
