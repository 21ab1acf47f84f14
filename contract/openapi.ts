import type { z } from "zod";
import type { RefusalCode } from "#domain/refusal.ts";
import { type JsonSchema, type JsonSchemas, jsonSchemas } from "./json-schemas.ts";
import { nothing, type Operation, wantedScopes } from "./operation.ts";
import { REFUSAL_STATUS } from "./refusal-status.ts";

/** A surface as its OpenAPI document tells it. */
export type DocumentedSurface = {
  title: string;
  version: string;
  description: string;
  operations: readonly Operation[];
  /** Under these names in `components`. */
  schemas: Readonly<Record<string, z.ZodType>>;
  securitySchemes: Readonly<Record<string, object>>;
  security(operation: Operation): readonly Record<string, readonly string[]>[];
  /** What any operation may refuse beside its own, by who may call it. */
  refusals(operation: Operation): readonly RefusalCode[];
  /** How errors of one status are told. */
  error(status: number): { media: string; schema: z.ZodType };
  /** Whether an Idempotency-Key is honoured. */
  isIdempotent(operation: Operation): boolean;
};

const REQUEST_ID = { "X-Request-Id": { description: "The request's id, on every answer", schema: { type: "string" } } };

const REPLAYED = {
  "Idempotent-Replayed": { description: "Present, and `true`, where a kept answer is given again", schema: { type: "string" } },
};
const CHALLENGE = { "WWW-Authenticate": { description: "How callers of this operation say who they are", schema: { type: "string" } } };

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Kept for 24 hours: a repeat with the same bytes as body is answered as the first was",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
};

/** What an operation that honours an Idempotency-Key may refuse about it. */
export const REFUSED_KEYS = ["idempotency_in_progress", "idempotency_key_reused"] as const;

/** The OpenAPI 3.1 document of a surface, made of the very operations that the service obeys. */
export function openApiDocument(surface: DocumentedSurface, baseUrl: string): JsonSchema {
  const { operations } = surface;
  const statuses = new Set(operations.flatMap((operation) => errorStatuses(surface, operation)));
  const schemas = jsonSchemas(surface.schemas, [
    ...operations.flatMap(({ params, query, body, result }) => [params, query, body, result]),
    ...[...statuses].map((status) => surface.error(status).schema),
  ]);
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(surface, schemas, operation) };
  }
  return {
    openapi: "3.1.1",
    info: { title: surface.title, version: surface.version, description: surface.description },
    servers: [{ url: baseUrl }],
    paths,
    components: { schemas: schemas.components, securitySchemes: surface.securitySchemes },
  };
}

function describe(surface: DocumentedSurface, schemas: JsonSchemas, operation: Operation): object {
  const { id, summary, body, bodyRequired, media } = operation;
  const scopes = wantedScopes(operation);
  const takesBody = body !== nothing;
  const mediaType = media === "form" ? "application/x-www-form-urlencoded" : "application/json";
  return {
    operationId: id,
    summary,
    ...(scopes.length === 0 ? {} : { description: scopes.map(inWords).join(" ") }),
    security: surface.security(operation),
    parameters: [
      ...parameters("path", schemas.of(operation.params)),
      ...parameters("query", schemas.of(operation.query)),
      ...(surface.isIdempotent(operation) ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(takesBody ? { requestBody: { required: bodyRequired, content: { [mediaType]: { schema: schemas.of(body) } } } } : {}),
    responses: { ...goodResponses(surface, schemas, operation), ...errorResponses(surface, schemas, operation) },
  };
}

function inWords({ side, scope }: { side: "partner" | "operator"; scope: string }): string {
  return side === "partner" ? `Scope of an API key: \`${scope}\`.` : `Scope of an operator's API key: \`${scope}\`.`;
}

function parameters(place: "path" | "query", schema: JsonSchema): object[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(Object(schema.properties)).map(([name, property]) => {
    const { description, ...rest } = Object(property);
    return {
      name,
      in: place,
      required: place === "path" || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function goodResponses(surface: DocumentedSurface, schemas: JsonSchemas, operation: Operation): Record<string, object> {
  const { status, repeatStatus, proposedStatus, result, resultHeaders = {} } = operation;
  const more = Object.entries(resultHeaders).map(([name, description]) => [name, { description, schema: { type: "string" } }]);
  const headers = { ...REQUEST_ID, ...(surface.isIdempotent(operation) ? REPLAYED : {}), ...Object.fromEntries(more) };
  const content = status === 204 ? {} : { content: { "application/json": { schema: schemas.of(result) } } };
  const repeated = repeatStatus === undefined ? {} : { [repeatStatus]: { description: "A repeat: what exists", headers, ...content } };
  const proposed =
    proposedStatus === undefined ? {} : { [proposedStatus]: { description: "A second person has to confirm it", headers, ...content } };
  return { [status]: { description: status === 204 ? "Done" : "As asked", headers, ...content }, ...repeated, ...proposed };
}

function errorResponses(surface: DocumentedSurface, schemas: JsonSchemas, operation: Operation): Record<string, object> {
  const codes = codesOf(surface, operation);
  return Object.fromEntries(
    errorStatuses(surface, operation).map((status) => {
      const { media, schema } = surface.error(status);
      const told = codes.filter((code) => REFUSAL_STATUS[code].status === status).map((code) => `\`${code}\``);
      const headers = { ...REQUEST_ID, ...(status === 401 ? CHALLENGE : {}) };
      return [status, { description: told.join(", "), headers, content: { [media]: { schema: schemas.of(schema) } } }];
    }),
  );
}

function codesOf(surface: DocumentedSurface, operation: Operation): RefusalCode[] {
  return [...new Set([...operation.refusals, ...surface.refusals(operation)])];
}

function errorStatuses(surface: DocumentedSurface, operation: Operation): number[] {
  return [...new Set(codesOf(surface, operation).map((code) => REFUSAL_STATUS[code].status))].sort((left, right) => left - right);
}
