import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import recorded from "#contract/openapi-examples.json" with { type: "json" };
import { forgetProfiles, keepProfile, settle } from "#testing/settle.ts";

afterEach(forgetProfiles);

test("people see amounts in units of their currency, programs see them as the API returns them", async () => {
  const [example] = recorded.partner.answers.get_all_transactions["200"].items;
  const fiatIn = { ...example, source_currency: "KES", source_amount: 12_950_000, destination_currency: "USDT", destination_amount: 99.5 };
  const fiatOut = {
    ...fiatIn,
    id: "wd_1",
    source_currency: "USDC",
    source_amount: 9.62,
    destination_currency: "JPY",
    destination_amount: 1_500,
  };
  const body = JSON.stringify({ items: [fiatOut, fiatIn], total: 2, skip: 0, limit: 100 });
  const server = createServer((_, response) => response.writeHead(200, { "content-type": "application/json" }).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const profile = { SETTLE_PROFILE: keepProfile({ base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }) };
  const people = await settle(["logs"], profile);
  const programs = await settle(["logs", "--json"], profile);
  server.close();
  expect(people.stdout).toContain("129500.00 KES → 99.5 USDT");
  expect(people.stdout).toContain("9.62 USDC → 1500 JPY");
  expect(programs.stdout).toContain('"source_amount":12950000');
});
