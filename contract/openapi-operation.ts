import type { RefusalCode } from "#domain/refusal.ts";
import type { DocumentedSurface, Examples } from "./documented-surface.ts";
import type { JsonSchema, JsonSchemas } from "./json-schemas.ts";
import { callersOf, honoursIdempotencyKey, nothing, type Operation, wantedScopes } from "./operation.ts";
import { REFUSAL_STATUS } from "./refusal-status.ts";

/** One operation in an OpenAPI document. */

const text = (description: string, required = false) => ({ description, ...(required ? { required } : {}), schema: { type: "string" } });

export const REQUEST_ID = { "X-Request-Id": text("The request's id, on every answer", true) };
const REPLAYED = { "Idempotent-Replayed": text("Present, and `true`, where a kept answer is given again") };
const CHALLENGE = { "WWW-Authenticate": text("How callers of this operation say who they are", true) };
const RATES = {
  RateLimit: text("Where a limit is set: how many requests are left at once, and in how many seconds all are again"),
  "RateLimit-Policy": text("Where a limit is set: how many requests a second it lets through"),
};
const RETRY_AFTER = {
  "Retry-After": { description: "Seconds to wait before the next attempt", schema: { type: "integer", format: "int64" } },
};

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Kept for 24 hours: a repeat with the same bytes as body is answered as the first was",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
};

/** What an operation that honours an Idempotency-Key may refuse about it. */
export const REFUSED_KEYS = ["idempotency_in_progress", "idempotency_key_reused"] as const;

export function pathItem(surface: DocumentedSurface, schemas: JsonSchemas, examples: Examples, operation: Operation): object {
  const { id, summary, path } = operation;
  const scopes = wantedScopes(operation);
  const tag = surface.tags.find(({ of }) => of.test(path))?.name;
  if (tag === undefined) throw new Error(`no tag is for ${path}`);
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(operation.deprecation === undefined ? {} : { deprecated: true }),
    ...(scopes.length === 0 ? {} : { description: scopes.map(inWords).join(" ") }),
    "x-callers": callersOf(operation),
    security: surface.security(operation),
    parameters: [
      ...parameters("path", schemas.of(operation.params)),
      ...parameters("query", schemas.of(operation.query), examples.queries[id]),
      ...(honoursIdempotencyKey(operation) ? [IDEMPOTENCY_KEY] : []),
    ],
    ...requestBody(schemas, examples, operation),
    responses: { ...goodResponses(schemas, examples, operation), ...errorResponses(surface, schemas, examples, operation) },
  };
}

function inWords({ side, scope }: { side: "partner" | "operator"; scope: string }): string {
  return side === "partner" ? `Scope of an API key: \`${scope}\`.` : `Scope of an operator's API key: \`${scope}\`.`;
}

function parameters(place: "path" | "query", schema: JsonSchema, shown: Readonly<Record<string, string>> = {}): object[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(Object(schema.properties)).map(([name, property]) => {
    const { description, ...rest } = Object(property);
    return {
      name,
      in: place,
      required: place === "path" || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(Object.hasOwn(shown, name) ? { example: rest.type === "integer" ? Number(shown[name]) : shown[name] } : {}),
    };
  });
}

function requestBody(schemas: JsonSchemas, examples: Examples, { id, body, bodyRequired, media, unread }: Operation): object {
  // Any bytes are taken: JSON is only what most of them are.
  if (unread) return { requestBody: { required: false, content: { "application/json": { schema: {} } } } };
  if (body === nothing) return {};
  const mediaType = media === "form" ? "application/x-www-form-urlencoded" : "application/json";
  return {
    requestBody: { required: bodyRequired, content: { [mediaType]: { schema: schemas.of(body), ...exampleOf(examples.requests[id]) } } },
  };
}

function exampleOf(example: unknown): object {
  return example === undefined ? {} : { example };
}

function goodResponses(schemas: JsonSchemas, examples: Examples, operation: Operation): Record<string, object> {
  const { id, status, repeatStatus, previewStatus, proposedStatus, result, resultHeaders = {} } = operation;
  const more = Object.entries(resultHeaders).map(([name, description]) => [name, text(description)]);
  const headers = {
    ...REQUEST_ID,
    ...(honoursIdempotencyKey(operation) ? REPLAYED : {}),
    ...ratesOf(operation),
    ...Object.fromEntries(more),
  };
  const describe = (of: number, description: string) => {
    const media = { schema: schemas.of(result), ...exampleOf(examples.answers[id]?.[of]) };
    return { description, headers, ...(of === 204 ? {} : { content: { "application/json": media } }) };
  };
  return {
    [status]: describe(status, status === 204 ? "Done" : "As asked"),
    ...(repeatStatus === undefined ? {} : { [repeatStatus]: describe(repeatStatus, "A repeat: what exists") }),
    ...(previewStatus === undefined
      ? {}
      : { [previewStatus]: describe(previewStatus, "With dry_run: what would be done, and nothing was") }),
    ...(proposedStatus === undefined ? {} : { [proposedStatus]: describe(proposedStatus, "A second person has to confirm it") }),
  };
}

function errorResponses(
  surface: DocumentedSurface,
  schemas: JsonSchemas,
  examples: Examples,
  operation: Operation,
): Record<string, object> {
  const all = codesOf(surface, operation);
  return Object.fromEntries(
    errorStatuses(surface, operation).map((status) => {
      const { media, schema } = surface.error(status);
      const codes = all.filter((code) => REFUSAL_STATUS[code].status === status);
      const waits = status === 503 || status === 429 || codes.includes("idempotency_in_progress");
      const headers = {
        ...REQUEST_ID,
        ...(honoursIdempotencyKey(operation) && [404, 409, 410, 422].includes(status) ? REPLAYED : {}),
        ...ratesOf(operation),
        ...(status === 401 ? CHALLENGE : {}),
        ...(waits ? RETRY_AFTER : {}),
      };
      const narrowed = { allOf: [schemas.of(schema), { type: "object", properties: { code: { enum: codes } } }] };
      const seen = codes.filter((code) => Object.hasOwn(examples.errors, code));
      const shown = Object.fromEntries(seen.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
      const content = { [media]: { schema: narrowed, ...(seen.length === 0 ? {} : { examples: shown }) } };
      return [status, { description: codes.map((code) => `\`${code}\``).join(", "), headers, content }];
    }),
  );
}

/** For an anonymous caller, requests only count where the operation may refuse with a rate limit. */
function ratesOf({ caller, refusals }: Operation): object {
  return (caller === "anybody" || caller === "provider") && !refusals.includes("rate_limited") ? {} : RATES;
}

function codesOf(surface: DocumentedSurface, operation: Operation): RefusalCode[] {
  return [...new Set([...operation.refusals, ...surface.refusals(operation)])];
}

export function errorStatuses(surface: DocumentedSurface, operation: Operation): number[] {
  return [...new Set(codesOf(surface, operation).map((code) => REFUSAL_STATUS[code].status))].sort((left, right) => left - right);
}
