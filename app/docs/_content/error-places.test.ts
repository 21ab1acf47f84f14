import { expect, test } from "vitest";
import { z } from "zod";
import { REFUSAL_CODES, type RefusalCode } from "#domain/refusal.ts";
import { OPENAPI_DOCUMENTS } from "#server/rest/openapi.ts";
import { BESIDES, placesOf } from "./error-places.ts";

const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.looseObject({ description: z.string() })) })),
  ),
});

/** By code: every operation whose published answers include it. */
function published(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const make of Object.values(OPENAPI_DOCUMENTS)) {
    const { paths } = documentSchema.parse(JSON.parse(JSON.stringify(make({ baseUrl: "https://api.example.com", brand: "Service" }))));
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(methods))
        for (const { description } of Object.values(responses))
          for (const [, code = ""] of description.matchAll(/`(\w+)`/g))
            found.set(code, [...(found.get(code) ?? []), `${method.toUpperCase()} ${path}`]);
  }
  return found;
}
const PUBLISHED = published();
const notifiedOf = (code: RefusalCode) =>
  placesOf(code).flatMap(({ operations }) => operations.map(({ method, path }) => `${method} ${path}`));

test.each(REFUSAL_CODES)("the page of %s names the operations that the published documents name, and no other", (code) => {
  expect(notifiedOf(code).sort()).toEqual((PUBLISHED.get(code) ?? []).sort());
  expect(notifiedOf(code).length + (BESIDES[code] ?? "").length, "it happens somewhere").toBeGreaterThan(0);
});

test("a callback URL is judged where one is given, on both surfaces, and where a callback is sent again", () => {
  expect(notifiedOf("callback_url_not_allowed").sort()).toEqual([
    "POST /api/v1/callbacks/{callback_id}/resend",
    "POST /api/v1/event-destinations",
    "POST /api/v1/settlement-batches",
    "POST /api/v1/settlement-batches/estimate",
    "POST /api/v1/settlement-batches/{batch_id}/confirm",
    "POST /api/v1/settlements",
    "POST /api/v1/settlements/confirm",
    "POST /api/v1/settlements/{tx_id}/callbacks/{callback_id}/resend",
    "POST /api/v1/settlements/{tx_id}/confirm",
    "POST /partners/transactions/topup-fiat",
    "POST /partners/transactions/withdraw-fiat",
    "POST /partners/transactions/withdraw-fiat/member",
  ]);
});

test("what many operations have in common is said in words", () => {
  const words = (code: RefusalCode) => placesOf(code).map(({ all }) => all);
  expect(words("stale_timestamp")).toEqual([...Array(2).fill("every operation with a key"), "every operation"]);
  expect(words("idempotency_key_reused").slice(0, 2)).toEqual(Array(2).fill("every POST that takes an Idempotency-Key"));
  for (const code of REFUSAL_CODES)
    for (const { all, operations, surface } of placesOf(code))
      if (all === null) expect(operations.length, `${code}, ${surface}`).toBeLessThan(25);
});
