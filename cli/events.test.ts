import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import recorded from "#contract/openapi-examples.json" with { type: "json" };
import { forgetProfiles, keepProfile, settle } from "#testing/settle.ts";

afterEach(forgetProfiles);

test("events are listed page by page to the end, and the next run goes on where the place says", async () => {
  const example = recorded.settlement.answers.get_event["200"];
  const kept = [1, 2, 3].map((version) => ({ ...example, id: `ev_${version}`, version }));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    asked.push(`${searchParams.get("types")} ${searchParams.get("cursor")}`);
    const from = Number(searchParams.get("cursor") ?? 0);
    const data = kept.slice(from, from + 2);
    const body = JSON.stringify({ data, next_cursor: String(from + data.length) });
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const profile = { SETTLE_PROFILE: keepProfile({ base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }) };
  const place = join(mkdtempSync(join(tmpdir(), "settle-events-")), "place");
  const people = await settle(["events", "--types", "settlement.*", "--place", place], profile);
  kept.push({ ...example, id: "ev_4", version: 4 });
  const programs = await settle(["events", "--json", "--place", place], profile);
  server.close();
  expect([
    people.code,
    people.stdout
      .trim()
      .split("\n")
      .map((text) => text.slice(-9)),
  ]).toEqual([0, [1, 2, 3].map((each) => `version ${each}`)]);
  expect(
    programs.stdout
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text)),
  ).toEqual([kept[3]]);
  expect(asked).toEqual(["settlement.* null", "settlement.* 2", "settlement.* 3", "null 3", "null 4"]);
  expect(readFileSync(place, "utf8").trim()).toBe("4");
});
