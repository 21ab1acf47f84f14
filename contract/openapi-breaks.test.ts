import { describe, expect, it } from "vitest";
import { findBreaks } from "./openapi-breaks.ts";

// biome-ignore lint/suspicious/noExplicitAny: a document is changed member by member.
type Json = any;

function before(): Json {
  const order = {
    type: "object",
    properties: {
      id: { type: "string" },
      state: { type: "string", enum: ["open", "done"] },
      note: { anyOf: [{ type: "string" }, { type: "null" }] },
      code: { $ref: "#/components/schemas/ErrorCode" },
      lines: { type: "array", items: { type: "object", properties: { amount: { type: "integer" } }, required: ["amount"] } },
    },
    required: ["id", "state", "note"],
  };
  const body = {
    type: "object",
    properties: { name: { type: "string", maxLength: 10 }, kind: { type: "string", enum: ["a", "b"] }, size: { type: "integer" } },
    required: ["name"],
    additionalProperties: false,
  };
  return {
    paths: {
      "/orders": {
        post: {
          parameters: [{ name: "dry", in: "query", required: false, schema: { type: "boolean" } }],
          requestBody: { required: true, content: { "application/json": { schema: body } } },
          responses: {
            201: {
              headers: { Location: {} },
              content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } },
            },
            404: { content: {} },
          },
        },
      },
    },
    webhooks: {
      "order.done": { post: { requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } } } } },
    },
    components: { schemas: { Order: order, ErrorCode: { type: "string", enum: ["bad"] } } },
  };
}

/** What a change of that document breaks. */
function breaksOf(change: (parts: { post: Json; body: Json; order: Json; document: Json }) => void): string[] {
  const document = before();
  const { post } = document.paths["/orders"];
  change({ post, body: post.requestBody.content["application/json"].schema, order: document.components.schemas.Order, document });
  return findBreaks(before(), document);
}

describe("what may be added under v1", () => {
  it.each<[string, Parameters<typeof breaksOf>[0]]>([
    ["nothing at all", () => {}],
    ["a field of an answer", ({ order }) => Object.assign(order.properties, { more: { type: "string" } })],
    ["an error code", ({ document }) => document.components.schemas.ErrorCode.enum.push("worse")],
    ["an error's status", ({ post }) => Object.assign(post.responses, { 409: { content: {} } })],
    ["a field of a request that may be left out", ({ body }) => Object.assign(body.properties, { more: { type: "string" } })],
    ["a parameter that may be left out", ({ post }) => post.parameters.push({ name: "x", in: "query", required: false, schema: {} })],
    ["the type that a number is read into", ({ body }) => Object.assign(body.properties.size, { format: "int64" })],
    ["a request's wider limit", ({ body }) => Object.assign(body.properties.name, { maxLength: 20 })],
    [
      "an operation and a callback",
      ({ document }) => Object.assign(document.paths, { "/more": {} }) && Object.assign(document.webhooks, { more: {} }),
    ],
    ["an answer's narrower type", ({ order }) => Object.assign(order.properties, { note: { type: "string" } })],
  ])("%s", (_, change) => expect(breaksOf(change)).toEqual([]));
});

describe("what breaks v1", () => {
  it.each<[string, Parameters<typeof breaksOf>[0], string]>([
    ["a path that is gone", ({ document }) => delete document.paths["/orders"], "POST /orders is gone"],
    ["a callback that is gone", ({ document }) => delete document.webhooks["order.done"], "callback order.done is gone"],
    [
      "a field that is gone, deep inside too",
      ({ order }) => delete order.properties.lines.items.properties.amount,
      "201.lines[].amount is gone",
    ],
    ["a field that may be missing now", ({ order }) => order.required.shift(), "201.id may be missing now"],
    [
      "a field that may be null now",
      ({ order }) => Object.assign(order.properties.id, { type: ["string", "null"] }),
      "201.id: its type was string",
    ],
    ["an alternative that is new", ({ order }) => order.properties.note.anyOf.push({ type: "integer" }), "201.note: integer is new"],
    ["a value that is new", ({ order }) => order.properties.state.enum.push("lost"), "201.state: the value lost is new"],
    ["a value that is gone", ({ order }) => order.properties.state.enum.pop(), "201.state: the value done is gone"],
    ["a request's value that is gone", ({ body }) => body.properties.kind.enum.pop(), "body.kind: the value b is gone"],
    [
      "a request's value set that is new",
      ({ body }) => Object.assign(body.properties.name, { enum: ["x"] }),
      "body.name: only some values are left",
    ],
    ["a request's field that is gone", ({ body }) => delete body.properties.size, "body.size is gone"],
    ["a request's field that is needed now", ({ body }) => body.required.push("size"), "body.size is required now"],
    ["a request's narrower limit", ({ body }) => Object.assign(body.properties.name, { maxLength: 5 }), "body.name: maxLength is stricter"],
    [
      "a request's narrower format",
      ({ body }) => Object.assign(body.properties.size, { format: "int32" }),
      "body.size: format is stricter",
    ],
    ["a request's narrower type", ({ body }) => Object.assign(body.properties.size, { type: "string" }), "body.size: its type was integer"],
    ["a parameter that is gone", ({ post }) => post.parameters.pop(), "the parameter query dry is gone"],
    [
      "a parameter that is needed now",
      ({ post }) => Object.assign(post.parameters[0], { required: true }),
      "the parameter query dry is required now",
    ],
    ["a header that is gone", ({ post }) => delete post.responses[201].headers.Location, "the header Location is gone"],
    ["a success of another status", ({ post }) => Object.assign(post.responses, { 202: {} }), "it may be answered 202 now"],
    ["a success that is gone", ({ post }) => delete post.responses[201], "it is never answered 201 any more"],
  ])("%s", (_, change, finding) => expect(breaksOf(change).join("\n")).toContain(finding));
});
