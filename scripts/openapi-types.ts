/** TypeScript of an OpenAPI document: a type for each named schema, and what each operation and webhook takes and answers. */

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into member by member.
type Json = any;

export function typesOf(document: Json): string {
  const schemas = Object.entries<Json>(document.components.schemas).map(
    ([name, schema]) => `${comment(schema.description, "")}export type ${name} = ${typeOf(schema, "")};`,
  );
  const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => operationOf(method.toUpperCase(), path, operation)),
  );
  const webhooks = Object.entries<Json>(document.webhooks ?? {}).map(
    ([event, { post }]) => `  /** ${post.summary} */\n  "${event}": ${typeOf(schemaOf(post.requestBody.content), "  ")};`,
  );
  return [
    "// Written by scripts/openapi.ts out of the service's OpenAPI document: not to be changed by hand.",
    ...schemas,
    `export interface Operations {\n${operations.join("\n")}\n}`,
    ...(webhooks.length === 0 ? [] : [`export interface Webhooks {\n${webhooks.join("\n")}\n}`]),
    "",
  ].join("\n\n");
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
    "// Written by scripts/openapi.ts out of the service's OpenAPI documents: not to be changed by hand.",
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
