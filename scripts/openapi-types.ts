/** TypeScript of an OpenAPI document: a type for each named schema, and what each operation and webhook takes and answers. */

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into member by member.
type Json = any;

/** `earlier`: the document whose types are in `file`; what it has under the same name is taken from there. */
export function typesOf(document: Json, earlier?: { file: string; document: Json }): string {
  const named = Object.entries<Json>(document.components.schemas);
  const isTheirs = ([name, schema]: [string, Json]) => {
    const theirs = earlier?.document.components.schemas[name];
    return theirs !== undefined && textOf(theirs, earlier?.document) === textOf(schema, document);
  };
  const shared = named.flatMap((each) => (isTheirs(each) ? [each[0]] : [])).join(", ");
  const from = shared === "" ? [] : [`import type { ${shared} } from "${earlier?.file}";`, `export type { ${shared} };`];
  const own = named.filter((each) => !isTheirs(each));
  const schemas = own.map(([name, schema]) => `${comment(schema.description, "")}export type ${name} = ${typeOf(schema, "")};`);
  const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => operationOf(method.toUpperCase(), path, operation)),
  );
  const webhooks = Object.entries<Json>(document.webhooks ?? {}).map(
    ([event, { post }]) => `  /** ${post.summary} */\n  "${event}": ${bodyOf(schemaOf(post.requestBody.content), named)};`,
  );
  return [
    "// Written by scripts/openapi.ts out of the service's OpenAPI document: do not edit it.",
    ...from,
    ...schemas,
    `export interface Operations {\n${operations.join("\n")}\n}`,
    ...(webhooks.length === 0 ? [] : [`export interface Webhooks {\n${webhooks.join("\n")}\n}`]),
    "",
  ].join("\n\n");
}

/** What a schema says, with what it refers to, without its own description. */
function textOf({ description: _, ...schema }: Json, document: Json): string {
  return JSON.stringify(schema, (_key, value) => (value?.$ref ? document.components.schemas[value.$ref.split("/").at(-1)] : value));
}

/** The operations that a partner's program sends, and how: an open one has no key. */
export type Route = { id: string; surface: "settlement" | "partner" | "open"; method: string; path: string };

/** The operations of a document that a partner may call, or anyone. */
export function routesOf(document: Json, surface: "settlement" | "partner"): Route[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).flatMap(([method, { operationId, "x-callers": callers }]) => {
      const isOpen = callers.includes("anybody");
      if (!isOpen && !callers.includes("partner")) return [];
      return [{ id: operationId, surface: isOpen ? "open" : surface, method: method.toUpperCase(), path }];
    }),
  );
}

export function tableOf(routes: readonly Route[]): string {
  const lines = routes.map(({ id, surface, method, path }) => `  ${id}: { surface: "${surface}", method: "${method}", path: "${path}" },`);
  return [
    "// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.",
    "",
    "/** Where each operation goes; an open one bears no key. */",
    "export const OPERATIONS = {",
    ...lines,
    "} as const;",
    "",
  ].join("\n");
}

function operationOf(method: string, path: string, { operationId, summary, parameters, requestBody, responses }: Json): string {
  const params = (place: string) =>
    objectOf(
      parameters.filter((one: Json) => one.in === place),
      "    ",
    );
  const body = requestBody === undefined ? "never" : typeOf(schemaOf(requestBody.content), "    ");
  const answers = Object.entries<Json>(responses).filter(([status, { content }]) => status.startsWith("2") && content !== undefined);
  const results = [...new Set(answers.map(([, { content }]) => typeOf(schemaOf(content), "    ")))];
  return [
    `  /** ${summary} */`,
    `  ${operationId}: {`,
    `    method: "${method}";`,
    `    path: "${path}";`,
    `    params: ${params("path")};`,
    `    query: ${params("query")};`,
    `    body: ${body};`,
    `    result: ${results.join(" | ") || "undefined"};`,
    "  };",
  ].join("\n");
}

/** What a callback says of a record that has a name: the record, with the members that its event narrows or adds. */
function bodyOf(body: Json, named: readonly [string, Json][]): string {
  const base = named.find(([, schema]) => narrows(body, schema));
  if (base === undefined) return typeOf(body, "  ");
  const [name, { properties }] = base;
  const own = Object.entries<Json>(body.properties).filter(([key, member]) => !isSame(member, properties[key]));
  return `${name} & ${object({ properties: Object.fromEntries(own), required: body.required }, "  ")}`;
}

/** Whether a body is a record in more detail: it has all of the record's members, and few others. */
export function narrows(body: Json, record: Json): boolean {
  const members = Object.entries<Json>(record.properties ?? {});
  if (2 * members.length < Object.keys(body.properties).length) return false;
  return members.every(([key, member]) => {
    const own = body.properties[key];
    if (own === undefined || !body.required.includes(key) || !record.required.includes(key)) return false;
    return typeOf(own, "") === typeOf(member, "") || choicesOf(own).every((choice) => choicesOf(member).includes(choice));
  });
}

/** The types of which a value has one. */
function choicesOf(schema: Json): string[] {
  return typeOf(schema, "").split(" | ");
}

/** Whether two schemas are written as the same type. */
export function isSame(one: Json, other: Json): boolean {
  return other !== undefined && typeOf(one, "") === typeOf(other, "");
}

function schemaOf(content: Json): Json {
  return Object.values<Json>(content)[0].schema;
}

function objectOf(parameters: Json[], indent: string): string {
  const properties = Object.fromEntries(parameters.map(({ name, schema, description }) => [name, { ...schema, description }]));
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  return typeOf({ type: "object", properties, required }, indent);
}

function typeOf(schema: Json, indent: string): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value: unknown) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one: Json) => typeOf(one, indent)))].join(" | ");
  if (schema.allOf) return schema.allOf.map((one: Json) => typeOf(one, indent)).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => typeOf({ ...schema, type }, indent)).join(" | ");
  switch (schema.type) {
    case "object":
      return object(schema, indent);
    case "array":
      return `Array<${typeOf(schema.items ?? {}, indent)}>`;
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    default:
      return "unknown";
  }
}

function object({ properties = {}, required = [], additionalProperties }: Json, indent: string): string {
  const members = Object.entries<Json>(properties).map(([name, schema]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const deeper = `${indent}  `;
    const type = typeOf(schema, deeper);
    // Left out or undefined: as JSON both are the same.
    return `${comment(schema.description, deeper)}${deeper}${key}${required.includes(name) ? `: ${type}` : `?: ${type} | undefined`};`;
  });
  if (members.length > 0) return `{\n${members.join("\n")}\n${indent}}`;
  const values = typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : null;
  return values === null ? "Record<string, never>" : `Record<string, ${values}>`;
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? "" : `${indent}/** ${text.replaceAll("*/", "* /")} */\n`;
}
