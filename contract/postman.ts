import { z } from "zod";
import type { JsonSchema } from "./json-schemas.ts";
import type { Side } from "./operation.ts";
import { capturingScript, guardingScript, signingScript } from "./postman-scripts.ts";
import { bodyText, CAPTURES, KEYS, variableFor, variables } from "./postman-variables.ts";

/** What of an OpenAPI document a collection is made of. */
const parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  example: z.union([z.string(), z.number()]).optional(),
});
const form = z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}), required: z.array(z.string()).default([]) });
const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()).min(1),
  "x-callers": z.array(z.enum(["partner", "operator", "provider", "anybody"] satisfies Side[])),
  parameters: z.array(parameter),
  requestBody: z
    .looseObject({ content: z.record(z.string(), z.looseObject({ example: z.unknown().optional(), schema: z.unknown().optional() })) })
    .optional(),
});
const document = z.looseObject({
  info: z.looseObject({ title: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});
type Document = z.infer<typeof document>;
/** An operation with where it is; `header`: what its key travels in, null for none. */
type Request = { path: string; method: string; documented: z.infer<typeof operation>; schemas: Record<string, unknown>; header: string };

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
const JSON_MEDIA = "application/json";
const FORM_MEDIA = "application/x-www-form-urlencoded";

const ABOUT = `Fill in the variables api_key and api_secret (in the sandbox: partner.api_key and partner.api_secret of .data/sandbox.json). Every request that carries a key is signed by the collection's pre-request script, in Postman and in Newman. The key travels as Authorization below /api/v1 and as apiKey elsewhere.

Requests set the variables for those that follow: “Create a settlement and get its quote” sets tx_id. Values that the caller chooses, such as external_tx_id, are new with every send.

Requests that rotate, revoke or delete are in a folder of their own. They are skipped until you set allow_changes to yes, so a run of the whole collection revokes none of your keys.

The two requests by which the fiat provider reports are left out: it signs them with a secret of its own.`;
const OPERATORS = `For the operator of the service: a partner's key gets 403 forbidden here. Fill in operator_api_key (in the sandbox: operator.api_key of .data/sandbox.json), and operator_api_secret where that key has signed_management.`;
const OPEN = "These carry no key and are not signed.";
const ENDING =
  "Each of these revokes something that works: a key, a secret. They are skipped until the variable allow_changes is yes. Send them one at a time.";
const ENDS = /^(?:rotate|delete|revoke)_/;

/**
 * A Postman collection (v2.1) of every operation in the OpenAPI documents except the provider's: a partner's by surface, those
 * without a key, and the operator's. Its script signs with the key and secret among the collection's variables, which are empty.
 */
export function postmanCollection(documents: readonly JsonSchema[], about: { baseUrl: string; brand: string }): object {
  const read = documents.map((each) => document.parse(each));
  const all = read.flatMap(requestsOf);
  const isFor = (side: Side) => (request: Request) => request.documented["x-callers"].includes(side);
  const isOperatorsAlone = (request: Request) => isFor("operator")(request) && !isFor("partner")(request);
  const ends = ({ documented }: Request) => ENDS.test(documented.operationId);
  const goesOn = (request: Request) => !ends(request);
  const surfaces = read.map((each) => ({
    name: each.info.title,
    item: folders(requestsOf(each).filter(isFor("partner")).filter(goesOn), "partner"),
  }));
  return {
    info: { name: "Settlement service", description: ABOUT, schema: SCHEMA },
    variable: variables(about.baseUrl, (id) => all.find(({ documented }) => documented.operationId === id)?.documented.summary),
    event: [script("prerequest", signingScript(about.brand))],
    item: [
      ...surfaces.filter(({ item }) => item.length > 0),
      { name: "Without a key", description: OPEN, item: all.filter(isFor("anybody")).map((request) => item(request, null)) },
      { name: "Operator", description: OPERATORS, item: folders(all.filter(isOperatorsAlone).filter(goesOn), "operator") },
      {
        name: "Rotate, revoke, delete",
        description: ENDING,
        item: all.filter(ends).map((request) => item(request, isOperatorsAlone(request) ? "operator" : "partner")),
      },
    ],
  };
}

function requestsOf({ paths, components }: Document): Request[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => ({
      path,
      method: method.toUpperCase(),
      documented,
      schemas: components.schemas,
      header: path.startsWith("/api/v1/") ? "Authorization" : "apiKey",
    })),
  );
}

function folders(requests: readonly Request[], side: keyof typeof KEYS): object[] {
  const byTag = Map.groupBy(requests, ({ documented }) => documented.tags[0] ?? "");
  return [...byTag].map(([name, those]) => ({ name, item: those.map((request) => item(request, side)) }));
}

function item(request: Request, side: keyof typeof KEYS | null): object {
  const { path, method, documented, schemas, header } = request;
  const name = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => `{{${variableFor(parameter, path, side === "operator")}}}`);
  const query = documented.parameters.filter((each) => each.in === "query").map(asQuery);
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const capture = CAPTURES.find(({ operation: id }) => id === documented.operationId);
  const events = [
    ...(ENDS.test(documented.operationId) ? [script("prerequest", guardingScript())] : []),
    ...(capture === undefined ? [] : [script("test", capturingScript(capture.key, capture.at))]),
  ];
  return {
    name: documented.summary,
    request: {
      method,
      ...(documented.description === undefined ? {} : { description: documented.description }),
      header: [
        ...(side === null ? [] : [{ key: header, value: `{{${KEYS[side].key}}}` }]),
        ...(documented.requestBody?.content[JSON_MEDIA] === undefined ? [] : [{ key: "Content-Type", value: JSON_MEDIA }]),
        ...documented.parameters
          .filter((each) => each.in === "header")
          .map((each) => ({ key: each.name, value: "{{$guid}}", disabled: true, description: each.description ?? "" })),
      ],
      url: {
        raw: `{{base_url}}${name}${sent.length === 0 ? "" : `?${sent.join("&")}`}`,
        host: ["{{base_url}}"],
        path: name.slice(1).split("/"),
        query,
      },
      ...bodyOf(documented, schemas),
    },
    ...(events.length === 0 ? {} : { event: events }),
  };
}

/** Required parameters are sent; optional ones are listed and switched off. */
function asQuery({ name, required, description, example }: z.infer<typeof parameter>) {
  return {
    key: name,
    value: example === undefined ? "" : encodeURIComponent(example),
    disabled: required !== true,
    description: description ?? "",
  };
}

function bodyOf({ operationId, requestBody }: Request["documented"], schemas: Record<string, unknown>): object {
  const json = requestBody?.content[JSON_MEDIA];
  if (json !== undefined)
    return { body: { mode: "raw", raw: bodyText(json.example, operationId), options: { raw: { language: "json" } } } };
  const written = requestBody?.content[FORM_MEDIA]?.schema;
  if (written === undefined) return {};
  const { properties, required } = form.parse(resolve(written, schemas));
  const fields = Object.keys(properties).map((key) => ({ key, value: "", type: "text", disabled: !required.includes(key) }));
  return { body: { mode: "urlencoded", urlencoded: fields } };
}

/** A schema by what it refers to. */
function resolve(schema: unknown, schemas: Record<string, unknown>): unknown {
  const { $ref } = z.looseObject({ $ref: z.string().optional() }).parse(schema);
  return $ref === undefined ? schema : schemas[$ref.split("/").at(-1) ?? ""];
}

function script(listen: string, text: string): object {
  return { listen, script: { type: "text/javascript", exec: text.split("\n") } };
}
