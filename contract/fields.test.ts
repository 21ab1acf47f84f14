import { expect, test } from "vitest";
import { z } from "zod";
import { fieldsOf } from "./fields.ts";

const item = z.object({ id: z.string(), state: z.enum(["on", "off"]).nullable() });

test("lists every member with its type, whether it is required, and what it means", () => {
  const schema = z.strictObject({
    amount: z.int().describe("Minor units"),
    at: z.iso.datetime().nullable(),
    name: z.string().min(1).max(9).optional(),
    tags: z.array(z.string()),
  });
  expect(fieldsOf(schema, "input")).toEqual([
    { name: "amount", type: "integer", required: true, description: "Minor units" },
    { name: "at", type: "timestamp or null", required: true, description: "" },
    { name: "name", type: "string, 1 to 9 characters", required: false, description: "" },
    { name: "tags", type: "array", required: true, description: "" },
  ]);
});

test("goes into lists of objects, unless the object is described elsewhere under its name", () => {
  const list = z.object({ data: z.array(item) });
  expect(fieldsOf(list, "output").map(({ name, type }) => `${name}: ${type}`)).toEqual([
    "data: array",
    "data[].id: string",
    "data[].state: on, off or null",
  ]);
  expect(fieldsOf(list, "output", [{ name: "item", schema: item }])).toMatchObject([{ name: "data", type: "array of item" }]);
});

test("goes into objects in the same way", () => {
  const order = z.object({ payment: z.object({ reference: z.string().describe("To be named") }), item });
  expect(fieldsOf(order, "output").map(({ name, type }) => `${name}: ${type}`)).toEqual([
    "payment: object",
    "payment.reference: string",
    "item: object",
    "item.id: string",
    "item.state: on, off or null",
  ]);
  expect(fieldsOf(order, "output", [{ name: "thing", schema: item }])).toContainEqual(
    expect.objectContaining({ name: "item", type: "thing" }),
  );
});
