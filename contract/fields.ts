import { z } from "zod";

/** One member of a wire object for the documentation. Nested ones have names such as `payment.reference` or `data[].chain`. */
export type Field = { name: string; type: string; required: boolean; description: string };

/** An object that is documented once, under its own name. `page`: on another page. */
export type Named = { name: string; schema: z.ZodType; page?: string };

const node = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  enum: z.array(z.union([z.string(), z.null()])).optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  description: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
});
type Node = z.infer<typeof node>;

/** The members of an object schema in its order; those of objects and lists of objects in it follow, except where `named` knows them. */
export function fieldsOf(schema: z.ZodType, io: "input" | "output", named: readonly Named[] = []): Field[] {
  const names = new Map(named.map((each) => [JSON.stringify(propertiesOf(jsonSchema(each.schema, io))), each.name]));
  return membersOf(jsonSchema(schema, io), "", names);
}

/** The items of an answer that is a list; null for any other. */
export function listedIn(schema: z.ZodType): z.ZodType | null {
  return schema instanceof z.ZodArray && schema.element instanceof z.ZodType ? schema.element : null;
}

function membersOf(parent: Node, prefix: string, names: ReadonlyMap<string, string>): Field[] {
  return Object.entries(parent.properties ?? {}).flatMap(([key, written]) => {
    const member = node.parse(written);
    const field = { name: `${prefix}${key}`, required: parent.required.includes(key), description: member.description ?? "" };
    const isList = member.type === "array";
    const inner = isList ? node.parse(member.items ?? {}) : member;
    if (inner.properties === undefined) return [{ ...field, type: typeOf(member) }];
    const known = names.get(JSON.stringify(propertiesOf(inner)));
    if (known !== undefined) return [{ ...field, type: isList ? `array of ${known}` : known }];
    return [{ ...field, type: isList ? "array" : "object" }, ...membersOf(inner, `${prefix}${key}${isList ? "[]" : ""}.`, names)];
  });
}

function typeOf(member: Node): string {
  if (member.anyOf) return [...new Set(member.anyOf.map((each) => typeOf(node.parse(each))))].join(" or ");
  if (member.enum) return member.enum.map((value) => value ?? "null").join(", ");
  if (Array.isArray(member.type)) return member.type.map((type) => typeOf({ ...member, type })).join(" or ");
  // In this contract, the only type that JSON Schema cannot express is an exact number.
  if (member.type === undefined) return "number";
  if (member.type !== "string") return member.type;
  if (member.format === "date-time") return "timestamp";
  return member.maxLength === undefined ? "string" : `string, ${member.minLength ?? 0} to ${member.maxLength} characters`;
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Node {
  return node.parse(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
}

function propertiesOf(object: Node): readonly string[] {
  return Object.keys(object.properties ?? {});
}
