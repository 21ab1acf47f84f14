import { z } from "zod";

/** One member of an object on the wire, as documentation tells it. */
export type Field = { name: string; type: string; required: boolean; description: string };

const shape = z.object({
  properties: z.record(z.string(), z.looseObject({ type: z.unknown().optional(), description: z.string().optional() })).default({}),
  required: z.array(z.string()).default([]),
});
const property = z.looseObject({
  type: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.string()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
});

/** The fields of an object schema, in its order. */
export function fieldsOf(schema: z.ZodType, io: "input" | "output"): Field[] {
  const { properties, required } = shape.parse(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
  return Object.entries(properties).map(([name, member]) => ({
    name,
    type: typeOf(member),
    required: required.includes(name),
    description: member.description ?? "",
  }));
}

function typeOf(written: unknown): string {
  const { type, format, enum: values, anyOf, ...limits } = property.parse(written);
  if (anyOf) return anyOf.map(typeOf).join(" or ");
  if (values) return values.join(", ");
  if (type === undefined) return "number";
  const { minLength, maxLength } = limits;
  if (type === "string" && maxLength !== undefined)
    return minLength === undefined ? type : `string, ${minLength} to ${maxLength} characters`;
  return format === "date-time" ? "timestamp" : type;
}
