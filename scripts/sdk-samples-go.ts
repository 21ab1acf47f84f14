/** A sample as a call of the SDK for Go. The types of its values are those of the SDK's own file. */
import { inColumns } from "#contract/go-literal.ts";
import { goName } from "./openapi-go-types.ts";
import { METHODS } from "./sdk-methods.ts";
import type { Given } from "./sdk-samples-given.ts";

type Field = { name: string; type: string };

const LINES = "if err != nil {\n\tlog.Fatal(err)\n}";

/** `source`: the SDK's types and methods. */
export function goSample({ id, method, target, params, query, body, hasQuery }: Given, source: string): string {
  const named = METHODS[id];
  if (named === undefined) {
    const values = Object.entries(query ?? {}).map(([key, value]) => `${JSON.stringify(key)}: {${JSON.stringify(String(value))}}`);
    const members = [
      { key: "Method:", text: JSON.stringify(method) },
      { key: "Path:", text: JSON.stringify(target) },
      ...(query === null ? [] : [{ key: "Query:", text: `url.Values{${values.join(", ")}}` }]),
      ...(body === null ? [] : [{ key: "Body:", text: anyValue(body, "\t") }]),
    ];
    return [
      "var answer map[string]any",
      `err := client.Call(ctx, settlement.Request{\n${inColumns(members, "\t").join("\n")}\n}, &answer)`,
      LINES,
      "fmt.Println(answer)",
    ].join("\n");
  }
  const called = named.as.split(".").map(goName);
  const name = called.at(-1) ?? "";
  const receiver = called.length === 2 ? `g \\*${called[0]}` : "c \\*Client";
  const signature = new RegExp(`^func \\(${receiver}\\) ${name}\\(([^)]*)\\)`, "m").exec(source)?.[1];
  if (signature === undefined) throw new Error(`the SDK for Go has no ${named.as}`);
  const [bodyType, queryType] = [/body ([\w.]+)/.exec(signature)?.[1], /query ([\w.]+)/.exec(signature)?.[1]];
  const isWalk = typeof named.kind === "object";
  const given = [
    ...(isWalk ? [] : ["ctx"]),
    ...params.map((value) => JSON.stringify(value)),
    ...(named.isIntended ? ['"order-1001"'] : []),
    ...(bodyType === undefined ? [] : [bodyType === "any" ? anyValue(body ?? {}, "") : literalOf(body ?? {}, bodyType, source, "")]),
    ...(queryType === undefined || !hasQuery ? [] : [literalOf(query ?? {}, queryType, source, "")]),
  ];
  const call = `client.${called.join(".")}(${given.join(", ")})`;
  if (isWalk) {
    const lines = [
      `walk := ${call}`,
      "for walk.Next(ctx) {",
      "\tfmt.Println(walk.Item())",
      "}",
      "if err := walk.Err(); err != nil {",
      "\tlog.Fatal(err)",
      "}",
    ];
    return lines.join("\n");
  }
  if (named.kind === "none") return `if err := ${call}; err != nil {\n\tlog.Fatal(err)\n}`;
  return [`answer, err := ${call}`, LINES, "fmt.Println(answer)"].join("\n");
}

function fieldsOf(type: string, source: string): Map<string, Field> {
  const struct = new RegExp(`^type ${type} struct \\{\\n([\\s\\S]*?)^\\}`, "m").exec(source)?.[1] ?? "";
  const fields = new Map<string, Field>();
  for (const [, name = "", fieldType = "", tag] of struct.matchAll(/^\t(\w+) +([^\s`]+)(?: +`json:"(\w+)[^`]*`)?$/gm)) {
    fields.set(tag ?? name, { name, type: fieldType });
  }
  return fields;
}

/** A value of a type of the SDK. */
function literalOf(value: unknown, type: string, source: string, indent: string): string {
  if (type.startsWith("*Nullable[")) {
    const inner = type.slice("*Nullable[".length, -1);
    return value === null ? `settlement.Null[${inner}]()` : `settlement.Value[${inner}](${literalOf(value, inner, source, indent)})`;
  }
  if (type.startsWith("*")) {
    const [inner, text] = [type.slice(1), literalOf(value, type.slice(1), source, indent)];
    // A constant has no type of its own: a pointer to it needs one.
    return `settlement.Pointer(${/^[A-Z]/.test(inner) && typeof value === "string" ? `settlement.${inner}(${text})` : text})`;
  }
  if (type.startsWith("[]")) {
    const inner = type.slice(2);
    const named = /^[A-Z]/.test(inner) ? `[]settlement.${inner}` : type;
    const items = (value as unknown[]).map((each) => `\n${indent}\t${literalOf(each, inner, source, `${indent}\t`)},`);
    return `${named}{${items.join("")}\n${indent}}`;
  }
  if (type.startsWith("map[string]")) {
    const inner = type.slice("map[string]".length);
    const named = /^[A-Z]/.test(inner) ? `map[string]settlement.${inner}` : type;
    const members = Object.entries(Object(value)).map(([key, each]) => `${JSON.stringify(key)}: ${literalOf(each, inner, source, indent)}`);
    return `${named}{${members.join(", ")}}`;
  }
  if (type === "time.Time") {
    const at = new Date(String(value));
    const parts = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds(), 0];
    return `time.Date(${parts.join(", ")}, time.UTC)`;
  }
  if (type === "Decimal") return JSON.stringify(String(value));
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = fieldsOf(type, source);
  const members = Object.entries(value).map(([key, each]) => {
    const field = fields.get(key) ?? fields.get(goName(key));
    if (field === undefined) throw new Error(`the SDK for Go: ${type} has no ${key}`);
    return { key: `${field.name}:`, text: literalOf(each, field.type, source, `${indent}\t`) };
  });
  const lines = inColumns(members, `${indent}\t`).join("\n");
  return members.length === 0 ? `settlement.${type}{}` : `settlement.${type}{\n${lines}\n${indent}}`;
}

/** A value whose type is not known. */
function anyValue(value: unknown, indent: string): string {
  if (Array.isArray(value)) return `[]any{${value.map((each) => anyValue(each, indent)).join(", ")}}`;
  if (typeof value !== "object" || value === null) return value === null ? "nil" : JSON.stringify(value);
  const members = Object.entries(value).map(([key, each]) => ({
    key: `${JSON.stringify(key)}:`,
    text: anyValue(each, `${indent}\t`),
  }));
  const lines = inColumns(members, `${indent}\t`).join("\n");
  return members.length === 0 ? "map[string]any{}" : `map[string]any{\n${lines}\n${indent}}`;
}
