import { type DocumentedSurface, type Examples, NO_EXAMPLES } from "./documented-surface.ts";
import { type JsonSchema, type JsonSchemas, jsonSchemas } from "./json-schemas.ts";
import { errorStatuses, pathItem, REQUEST_ID } from "./openapi-operation.ts";
import type { Webhook } from "./webhook.ts";

/** The OpenAPI 3.1 document of a surface, made of the very operations that the service obeys. */
export function openApiDocument(surface: DocumentedSurface, about: { baseUrl: string; brand: string }, examples = NO_EXAMPLES): JsonSchema {
  const { operations, webhooks } = surface;
  const statuses = new Set([404, 405, ...operations.flatMap((operation) => errorStatuses(surface, operation))]);
  const schemas = jsonSchemas(surface.schemas, [
    ...operations.flatMap(({ params, query, body, result }) => [params, query, body, result]),
    ...[...statuses].map((status) => surface.error(status).schema),
    ...Object.values(webhooks).map(({ body }) => body),
  ]);
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const item = pathItem(surface, schemas, examples, operation);
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: item };
  }
  const callbacks = Object.entries(webhooks).map(([event, webhook]) => [
    event,
    describeWebhook(about.brand, schemas, examples, event, webhook),
  ]);
  return {
    openapi: "3.1.1",
    info: { title: surface.title, version: surface.version, description: surface.description },
    servers: [{ url: about.baseUrl }],
    tags: surface.tags.map(({ name, description }) => ({ name, description })),
    paths,
    ...(callbacks.length === 0 ? {} : { webhooks: Object.fromEntries(callbacks) }),
    components: {
      schemas: schemas.components,
      responses: outsideOfOperations(surface, schemas),
      examples: Object.fromEntries(Object.entries(examples.errors).map(([code, value]) => [code, { value }])),
      securitySchemes: surface.securitySchemes,
    },
  };
}

/** The answers below the surface's paths where there is no such path, or not that method. */
function outsideOfOperations(surface: DocumentedSurface, schemas: JsonSchemas): Record<string, object> {
  const describe = (status: number) => {
    const { media, schema } = surface.error(status);
    return { [media]: { schema: schemas.of(schema) } };
  };
  const allow = { Allow: { description: "The methods that the path knows", required: true, schema: { type: "string" } } };
  return {
    RouteNotFound: { description: "`route_not_found`: there is no such path", headers: REQUEST_ID, content: describe(404) },
    MethodNotAllowed: { description: "`method_not_allowed`", headers: { ...REQUEST_ID, ...allow }, content: describe(405) },
  };
}

function describeWebhook(brand: string, schemas: JsonSchemas, examples: Examples, event: string, { summary, body }: Webhook): object {
  const header = (name: string, description: string) => ({ name, in: "header", required: true, description, schema: { type: "string" } });
  const example = examples.webhooks[event];
  return {
    post: {
      operationId: event.replace(".", "_"),
      summary,
      description: "Six attempts at most, with the same id and body. Check one of the signatures before you believe it.",
      tags: ["Callbacks"],
      security: [],
      parameters: [
        header("webhook-id", "The callback's id, the same in every attempt: what was seen is not acted on again"),
        header("webhook-timestamp", "Unix epoch seconds of this attempt"),
        header(
          "webhook-signature",
          "Standard Webhooks, parted by blanks: `v1,` and base64 HMAC-SHA256 under the callback secret, one or two; where a key of yours is published for it, `v1a,` and base64 Ed25519",
        ),
        header(`X-${brand}-Timestamp`, "As on requests, Unix epoch seconds"),
        header(`X-${brand}-Nonce`, "A UUIDv4"),
        header(`X-${brand}-Signature`, "The same five components as on requests, under the API secret"),
      ],
      requestBody: {
        required: true,
        content: { "application/json": { schema: schemas.of(body), ...(example === undefined ? {} : { example }) } },
      },
      responses: {
        "2XX": { description: "Delivered, whatever the body says" },
        default: { description: "Not delivered: attempted again after 1 m, 5 m, 30 m, 2 h and 12 h" },
      },
    },
  };
}
