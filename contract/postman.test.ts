import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import CryptoJS from "crypto-js";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { postmanCollection } from "./postman.ts";
import { guardingScript, signingScript } from "./postman-scripts.ts";

const DOCUMENT = {
  info: { title: "A surface" },
  components: { schemas: { Form: { properties: { username: {}, otp: {} }, required: ["username"] } } },
  paths: {
    "/api/v1/settlements/{tx_id}/confirm": {
      post: {
        operationId: "confirm_one_settlement",
        summary: "Confirm",
        tags: ["Settlements"],
        "x-callers": ["partner"],
        parameters: [
          { name: "tx_id", in: "path" },
          { name: "chain", in: "query", required: true, example: "eip155:1" },
          { name: "limit", in: "query", description: "25 when left out" },
          { name: "Idempotency-Key", in: "header" },
        ],
        requestBody: {
          content: {
            "application/json": {
              example: { external_tx_id: "order-1", expected_destination_amount: 7.5, callback_url: "https://p.example" },
            },
          },
        },
      },
    },
    "/partners/{partner_id}/charge-fee": {
      put: { operationId: "update_charge_fee", summary: "Fee", tags: ["Partners"], "x-callers": ["operator"], parameters: [] },
    },
    "/partners/api-keys/{id}/rotate": {
      post: {
        operationId: "rotate_api_key",
        summary: "Rotate Api Key",
        tags: ["Keys"],
        "x-callers": ["partner", "operator"],
        parameters: [{ name: "id", in: "path" }],
      },
    },
    "/partners/callback": {
      post: { operationId: "callback", summary: "The provider's", tags: ["Withdrawals"], "x-callers": ["provider"], parameters: [] },
    },
    "/login": {
      post: {
        operationId: "login",
        summary: "Log in",
        tags: ["People"],
        "x-callers": ["anybody"],
        parameters: [],
        requestBody: { content: { "application/x-www-form-urlencoded": { schema: { $ref: "#/components/schemas/Form" } } } },
      },
    },
  },
};

// biome-ignore lint/suspicious/noExplicitAny: a collection is looked into member by member.
const COLLECTION: any = JSON.parse(JSON.stringify(postmanCollection([DOCUMENT], { baseUrl: "https://api.example.com", brand: "Acme" })));

describe("a collection", () => {
  it("has a partner's requests by surface, those without a key and the operator's apart, and none of the provider's", () => {
    expect(COLLECTION.item.map(({ name }: { name: string }) => name)).toEqual([
      "A surface",
      "Without a key",
      "Operator",
      "Rotate, revoke, delete",
    ]);
    const [surface, open, operator] = COLLECTION.item;
    expect(surface.item[0].item[0].request.header[0]).toEqual({ key: "Authorization", value: "{{api_key}}" });
    expect(operator.item[0].item[0].request.header[0]).toEqual({ key: "apiKey", value: "{{operator_api_key}}" });
    expect(operator.item[0].item[0].request.url.raw).toBe("{{base_url}}/partners/{{other_partner_id}}/charge-fee");
    expect(open.item[0].request.body.urlencoded).toMatchObject([
      { key: "username", disabled: false },
      { key: "otp", disabled: true },
    ]);
    expect(open.item[0].request.header).toEqual([]);
    expect(JSON.stringify(COLLECTION)).not.toContain("The provider's");
  });

  it("has bodies that can be sent more than once, queries with their parameters, and idempotency keys to switch on", () => {
    const { request } = COLLECTION.item[0].item[0].item[0];
    expect(JSON.parse(request.body.raw)).toEqual({ external_tx_id: "{{$guid}}", callback_url: "https://p.example" });
    expect(request.url.raw).toBe("{{base_url}}/api/v1/settlements/{{tx_id}}/confirm?chain=eip155%3A1");
    expect(request.url.query).toEqual([
      { key: "chain", value: "eip155%3A1", disabled: false, description: "" },
      { key: "limit", value: "", disabled: true, description: "25 when left out" },
    ]);
    expect(request.header.at(-1)).toMatchObject({ key: "Idempotency-Key", value: "{{$guid}}", disabled: true });
  });
});

const vectors = z
  .object({ vectors: z.array(z.record(z.string(), z.string())) })
  .parse(JSON.parse(readFileSync(new URL("../docs/signing-vectors.json", import.meta.url), "utf8"))).vectors;

type Sent = { method: string; url: string; body: string; headers: Map<string, string> };

/** Runs the script as Newman does: nothing is waited for, and nothing is around it but what Newman promises. */
async function run(sent: Sent, variables: Record<string, string>, now: string, skip = () => {}): Promise<void> {
  const pm = {
    execution: { skipRequest: skip },
    variables: { get: (name: string) => variables[name], replaceIn: (text: string) => text.replace("{{$guid}}", "a-guid") },
    request: {
      method: sent.method,
      url: { toString: () => sent.url, update: (url: string) => Object.assign(sent, { url }) },
      headers: {
        get: (name: string) => sent.headers.get(name),
        upsert: ({ key, value }: { key: string; value: string }) => sent.headers.set(key, value),
      },
      body:
        sent.body === ""
          ? undefined
          : { mode: "raw", raw: sent.body, update: ({ raw }: { raw: string }) => Object.assign(sent, { body: raw }) },
    },
  };
  const clock = { now: () => Number(now) * 1_000 };
  const require = (name: string) => (name === "crypto-js" ? CryptoJS : undefined);
  runInNewContext(`(() => {${signingScript("Acme")}})()`, { pm, require, Date: clock });
}

test.each(vectors.map((vector) => [vector.name, vector] as const))(
  "the script signs as the published vector says: %s",
  async (_, vector) => {
    const { method = "", path, query, body = "", secret = "", timestamp = "" } = vector;
    const url = `https://api.example.com${path}${query === "" ? "" : `?${query}`}`;
    const sent: Sent = { method, url, body, headers: new Map([["Authorization", "{{api_key}}"]]) };
    await run(sent, { api_key: "key", api_secret: secret }, timestamp);
    expect(Object.fromEntries(sent.headers)).toEqual({
      Authorization: "{{api_key}}",
      "X-Acme-Timestamp": timestamp,
      "X-Acme-Nonce": "a-guid",
      "X-Acme-Signature": vector.signature,
    });
    expect([sent.url, sent.body]).toEqual([url, body]);
  },
);

test("what carries no key is not signed, an operator's only where its secret is filled in, and a partner's always", async () => {
  const signed = async (header: string | null, variables: Record<string, string>) => {
    const headers = new Map(header === null ? [] : [["apiKey", header]]);
    await run({ method: "GET", url: "https://api.example.com/time", body: "", headers }, variables, "1795226400");
    return headers.has("X-Acme-Signature");
  };
  expect(await signed(null, {})).toBe(false);
  expect(await signed("{{operator_api_key}}", { operator_api_key: "k" })).toBe(false);
  expect(await signed("{{operator_api_key}}", { operator_api_key: "k", operator_api_secret: "s" })).toBe(true);
  await expect(signed("{{operator_api_key}}", { api_key: "k", api_secret: "s" })).rejects.toThrow("operator_api_key");
  await expect(signed("{{api_key}}", { api_key: "k" })).rejects.toThrow("api_key and api_secret");
});

test("a request that cannot be signed is skipped, and so is one that ends a key unless the caller allows it", async () => {
  let skipped = 0;
  const skip = () => {
    skipped += 1;
  };
  const unsigned: Sent = {
    method: "POST",
    url: "https://api.example.com/api/v1/settlements",
    body: "",
    headers: new Map([["apiKey", "{{api_key}}"]]),
  };
  await expect(run(unsigned, {}, "1795226400", skip)).rejects.toThrow("api_key and api_secret");
  expect(skipped).toBe(1);
  const guarded = (value: string) =>
    runInNewContext(`(() => {${guardingScript()}})()`, { pm: { variables: { get: () => value }, execution: { skipRequest: skip } } });
  expect(() => guarded("")).toThrow("allow_changes");
  expect(skipped).toBe(2);
  expect(() => guarded("yes")).not.toThrow();
  expect(skipped).toBe(2);
});

test("what rotates, revokes or deletes is in a folder of its own, and each request of it is guarded", () => {
  const ending = COLLECTION.item.at(-1);
  expect(ending.item.map(({ name }: { name: string }) => name)).toEqual(["Rotate Api Key"]);
  expect(ending.item[0].event[0]).toMatchObject({ listen: "prerequest", script: { exec: guardingScript().split("\n") } });
  expect(JSON.stringify(COLLECTION.item.slice(0, -1))).not.toContain("Rotate Api Key");
});
