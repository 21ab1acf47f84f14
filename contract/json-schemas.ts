import { z } from "zod";

export type JsonSchema = { [key: string]: unknown };

/** Named schemas for `components`, and any other schema with references to the named ones. */
export type JsonSchemas = { components: Record<string, JsonSchema>; of(schema: z.ZodType): JsonSchema };

const INLINE = "inline ";

/** JSON Schemas (2020-12) of the contract for OpenAPI 3.1: requests are closed, and answers open, because fields may be added to them. */
export function jsonSchemas(named: Readonly<Record<string, z.ZodType>>, others: readonly z.ZodType[]): JsonSchemas {
  const registry = z.registry<{ id: string }>();
  const names = new Map<z.ZodType, string>();
  for (const [name, schema] of Object.entries(named)) names.set(schema, name);
  for (const [index, schema] of others.entries()) if (!names.has(schema)) names.set(schema, `${INLINE}${index}`);
  for (const [schema, id] of names) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: reference, io: "input", unrepresentable: "any" });
  const written = (name: string): JsonSchema => tidy(object(schemas[name]));
  return {
    components: Object.fromEntries(Object.keys(named).map((name) => [name, written(name)])),
    of(schema) {
      const name = names.get(schema);
      if (name === undefined) throw new Error("a schema is asked for that was not announced");
      return name.startsWith(INLINE) ? written(name) : { $ref: reference(name) };
    },
  };
}

function reference(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Without internal details: its own address, and alternatives that JSON Schema cannot express. */
function tidy(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, $id: _address, ...rest } = schema;
  // A number in a query arrives as a text of digits; to the one who writes it, it is a number.
  if (rest.type === "integer") delete rest.pattern;
  const format = numberFormat(rest);
  if (format !== null) rest.format = format;
  const isSaid = rest.type !== undefined && Array.isArray(rest.anyOf) && rest.anyOf.some((each) => Object.keys(object(each)).length === 0);
  return Object.fromEntries(
    Object.entries(rest)
      .filter(([key]) => !(isSaid && key === "anyOf"))
      .map(([key, value]) => [key, tidyValue(value)]),
  );
}

/**
 * The number's format for generated clients. Without it, generators for Go and others use `float32` and `int32`, which cannot represent
 * 7682.938826 or 3,000,000,000.
 */
function numberFormat({ type }: JsonSchema): "double" | "int64" | null {
  const types = [type].flat();
  if (types.includes("number")) return "double";
  return types.includes("integer") ? "int64" : null;
}

function tidyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidyValue);
  return typeof value === "object" && value !== null ? tidy(object(value)) : value;
}

function object(value: unknown): JsonSchema {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("not a JSON Schema");
  return { ...value };
}
