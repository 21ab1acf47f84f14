import { expect, test } from "vitest";
import { timestamp } from "#contract/primitives.ts";
import { OPENAPI_DOCUMENTS } from "./openapi.ts";

const ABOUT = { baseUrl: "https://api.example.com", brand: "Acme" };

type Json = { [key: string]: unknown };

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Finds fields and parameters without a description. The format of an instant does not say which instant it is. */
function unexplained(value: unknown, place: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => unexplained(each, `${place}/${nameOf(each) ?? index}`));
  if (!isObject(value)) return [];
  const { properties } = value;
  const fields = isObject(properties) ? Object.entries(properties).filter(([, field]) => !isExplained(field)) : [];
  const silent = "in" in value && "schema" in value && !isExplained(value) ? [place] : [];
  const deeper = Object.entries(value).filter(([key]) => !["example", "examples", "allOf"].includes(key));
  return [
    ...silent,
    ...fields.map(([name]) => `${place}.${name}`),
    ...deeper.flatMap(([key, each]) => unexplained(each, `${place}/${key}`)),
  ];
}

function nameOf(value: unknown): unknown {
  return isObject(value) ? value.name : undefined;
}

/** By its own words, or by those of one of its alternatives. */
function isExplained(field: unknown): boolean {
  if (!isObject(field)) return false;
  const { description, anyOf } = field;
  if (typeof description === "string") return description.trim() !== "" && description !== timestamp.description;
  return Array.isArray(anyOf) && anyOf.some(isExplained);
}

test.each(Object.keys(OPENAPI_DOCUMENTS))("%s says of every field and parameter what it means", (file) => {
  const document: Json = JSON.parse(JSON.stringify(OPENAPI_DOCUMENTS[file]?.(ABOUT)));
  expect(unexplained(document.components, "components").concat(unexplained(document.paths, "paths"))).toEqual([]);
  expect(unexplained(document.webhooks ?? {}, "webhooks")).toEqual([]);
});

test("a field without a description is found at any depth, and one that an alternative explains is not", () => {
  const silent = { type: "string" };
  const said = { anyOf: [{ type: "string", description: "The note" }, { type: "null" }] };
  const when = { type: "string", format: "date-time", description: timestamp.description };
  const document = {
    schemas: {
      Order: { properties: { note: said, at: when, lines: { description: "Its lines", items: { properties: { sum: silent } } } } },
    },
    parameters: [
      { name: "limit", in: "query", schema: silent },
      { name: "skip", in: "query", description: "How many", schema: silent },
    ],
  };
  expect(unexplained(document, "")).toEqual(["/schemas/Order.at", "/schemas/Order/properties/lines/items.sum", "/parameters/limit"]);
});
