/** Python's typed dictionaries of OpenAPI documents: one for each named schema, callback, query and object within them. */

import { isSame, narrows, type Route } from "./openapi-types.ts";

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into member by member.
type Json = any;

const KEYWORDS = ["from", "class", "import", "in", "is", "not", "pass", "global", "with", "as", "async", "def"];

export function pythonTypesOf(documents: readonly Json[], routes: readonly Route[]): string {
  const schemas = new Map<string, Json>(documents.flatMap(({ components }) => Object.entries(components.schemas)));
  const callbacks = documents.flatMap(({ webhooks = {} }) => Object.entries<Json>(webhooks));
  const bodies = callbacks.map(([event, { post }]) => [nameOf(event), post.requestBody.content["application/json"].schema] as const);
  const queries = documents.flatMap(({ paths }) =>
    Object.values<Json>(paths).flatMap((item) => Object.values<Json>(item).flatMap((operation) => queryOf(operation))),
  );
  const written = [...withEvents([...schemas], bodies), ...queries].flatMap(([name, schema, base]) => declared(name, schema, base));
  return [
    "# Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.",
    "from __future__ import annotations\n\nfrom typing import Any, Dict, List, Literal, Tuple, TypedDict, Union",
    "from .received import Callback as Received",
    ...written,
    received(callbacks.map(([event]) => event)),
    table(routes),
    "",
  ].join("\n\n");
}

/** A name, its schema, and the name of the class that it extends, if any. */
type Declared = readonly [name: string, schema: Json, base?: string];

/** The records and the bodies of their events: what an event leaves as it is, record and events take from one class. */
function withEvents(records: readonly Declared[], bodies: readonly Declared[]): Declared[] {
  const taken = new Set<string>();
  const families = records.flatMap((record): Declared[] => {
    const events = bodies.filter(([name, body]) => !taken.has(name) && narrows(body, record[1]));
    if (events.length === 0) return [record];
    for (const [name] of events) taken.add(name);
    const isShared = (key: string) => events.every(([, { properties }]) => isSame(properties[key], record[1].properties[key]));
    const base = `_${record[0]}`;
    const rests = [record, ...events].map(([name, schema]): Declared => [name, only(schema, (key) => !isShared(key)), base]);
    return [[base, only(record[1], isShared)], ...rests];
  });
  return [...families, ...bodies.filter(([name]) => !taken.has(name))];
}

/** The schema with only these members. */
function only(schema: Json, isWanted: (key: string) => boolean): Json {
  return { ...schema, properties: Object.fromEntries(Object.entries(schema.properties).filter(([key]) => isWanted(key))) };
}

/** A verified callback as the union of them all: type checkers narrow it by its event. */
function received(events: readonly string[]): string {
  const members = events.map((event) => `    Received[Literal["${event}"], ${nameOf(event)}],`);
  return ["AnyCallback = Union[", ...members, "]"].join("\n");
}

function table(routes: readonly Route[]): string {
  const lines = routes.map(({ id, surface, method, path }) => `    "${id}": ("${surface}", "${method}", "${path}"),`);
  const ids = `OperationId = Literal[${routes.map(({ id }) => `"${id}"`).join(", ")}]`;
  return [ids, ["OPERATIONS: Dict[OperationId, Tuple[str, str, str]] = {", ...lines, "}"].join("\n")].join("\n\n");
}

/** The query parameters of an operation as the members of a class: `list_settlements` has `ListSettlementsQuery`. Empty if it has none. */
function queryOf({ operationId, parameters = [] }: Json): (readonly [string, Json])[] {
  const members: Json[] = parameters.filter(({ in: place }: Json) => place === "query");
  if (members.length === 0) return [];
  const properties = Object.fromEntries(members.map(({ name, schema }) => [name, schema]));
  const required = members.flatMap(({ name, required: isRequired }) => (isRequired ? [name] : []));
  return [[`${nameOf(operationId.replaceAll("_", "."))}Query`, { type: "object", properties, required }]];
}

/** `settlement.executed` as a class: `SettlementExecuted`. */
function nameOf(event: string): string {
  return event.replace(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function declared(name: string, schema: Json, base = "TypedDict"): string[] {
  const nested: string[] = [];
  if (schema.type === "object" && schema.properties) {
    dictionary(name, schema, nested, base);
    return nested;
  }
  // A name for values: written as text, since it may name what comes later.
  const type = typeOf(schema, name, nested);
  return [...nested, `${name} = ${/^(?:Literal|str$|int$|float$|bool$)/.test(type) ? type : JSON.stringify(type)}`];
}

/** Optional members are in a separate class: older Pythons have no other way. */
function dictionary(name: string, { properties, required = [] }: Json, nested: string[], base = "TypedDict"): void {
  const lines = (wanted: boolean) =>
    Object.entries<Json>(properties)
      .filter(([key]) => required.includes(key) === wanted)
      .map(([key, schema]) => `    ${key}: ${typeOf(schema, `${name.replace(/^_/, "")}_${key}`, nested)}`);
  // `from` is a keyword in Python: such members can only be named in a string.
  if (Object.keys(properties).some((key) => KEYWORDS.includes(key))) {
    const members = Object.entries<Json>(properties).map(
      ([key, schema]) => `"${key}": ${JSON.stringify(typeOf(schema, `${name.replace(/^_/, "")}_${key}`, nested))}`,
    );
    nested.push(`${name} = TypedDict("${name}", {${members.join(", ")}})`);
    return;
  }
  const [always, sometimes] = [lines(true), lines(false)];
  const body = (members: string[]) => (members.length === 0 ? "    pass" : members.join("\n"));
  if (sometimes.length === 0) nested.push(`class ${name}(${base}):\n${body(always)}`);
  else if (always.length === 0) nested.push(`class ${name}(TypedDict, total=False):\n${body(sometimes)}`);
  else {
    nested.push(`class _${name}(TypedDict):\n${body(always)}`);
    nested.push(`class ${name}(_${name}, total=False):\n${body(sometimes)}`);
  }
}

function typeOf(schema: Json, name: string, nested: string[]): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.const !== undefined) return `Literal[${JSON.stringify(schema.const)}]`;
  if (schema.enum) return `Literal[${schema.enum.map((value: unknown) => JSON.stringify(value)).join(", ")}]`;
  if (schema.anyOf) return union(schema.anyOf.map((one: Json, index: number) => typeOf(one, `${name}_${index}`, nested)));
  if (Array.isArray(schema.type)) return union(schema.type.map((type: string) => typeOf({ ...schema, type }, name, nested)));
  switch (schema.type) {
    case "array":
      return `List[${typeOf(schema.items ?? {}, name, nested)}]`;
    case "object":
      if (!schema.properties) return `Dict[str, ${typeOf(Object(schema.additionalProperties), name, nested)}]`;
      dictionary(name, schema, nested);
      return name;
    default:
      return { integer: "int", number: "float", string: "str", boolean: "bool", null: "None" }[schema.type as string] ?? "Any";
  }
}

function union(types: string[]): string {
  const each = [...new Set(types)];
  return each.length === 1 ? (each[0] ?? "Any") : `Union[${each.join(", ")}]`;
}
