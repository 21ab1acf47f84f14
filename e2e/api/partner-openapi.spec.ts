import { expect, test } from "@playwright/test";
import { z } from "zod";
import { PARTNER_OPERATIONS } from "#contract/partner/operations.ts";
import { exchange } from "#sandbox/client/exchange.ts";
import { BASE_URL } from "../support/running-sandbox.ts";

/** The published documents describe exactly the operations that are served. */

const document = z.object({
  openapi: z.string().startsWith("3.1"),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))),
});
const get = (target: string, method = "GET") => exchange(BASE_URL, { method, target, headers: [] });

for (const file of ["settlement.json", "partner.json", "sandbox.json"]) {
  test(`/openapi/${file} names paths that are there, with the methods that they know`, async () => {
    const answer = await get(`/openapi/${file}`);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json"]);
    const { paths, servers } = document.parse(JSON.parse(answer.text));
    expect(servers).toEqual([{ url: BASE_URL }]);
    for (const [path, methods] of Object.entries(paths)) {
      const known = await get(path.replace(/\{\w+\}/g, "x"), "patch" in methods ? "OPTIONS" : "PATCH");
      expect([path, known.status]).toEqual([path, 405]);
      const allowed = String(known.headers.allow).split(", ");
      for (const method of Object.keys(methods)) expect(allowed).toContain(method.toUpperCase());
    }
  });
}

test("every operation of the partner-management surface asks for its credential", async () => {
  for (const { method, path, caller } of PARTNER_OPERATIONS) {
    if (caller === "anybody") continue;
    const answer = await get(path.replace(/\{\w+\}/g, "x"), method);
    expect([path, answer.status]).toEqual([path, 401]);
  }
});

test("each document is there as YAML too", async () => {
  for (const file of ["settlement", "partner", "sandbox"]) {
    const answer = await get(`/openapi/${file}.yaml`);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/yaml"]);
    expect(answer.text).toMatch(new RegExp(`^openapi: 3\\.1\\.\\d+\\n[\\s\\S]*^servers:\\n {2}- url: ${BASE_URL}$`, "m"));
  }
});

test("an unknown document is 404", async () => {
  expect((await get("/openapi/other.json")).status).toBe(404);
});
