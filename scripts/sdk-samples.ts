/** The samples of the reference: each operation's recorded request, as a call of each SDK, by the table that the SDKs are written from. */

import { METHODS } from "./sdk-methods.ts";
import { type Given, givenOf, type OpenApiExamples } from "./sdk-samples-given.ts";
import { goSample } from "./sdk-samples-go.ts";
import { phpSample } from "./sdk-samples-php.ts";

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into member by member.
type Json = any;

/** `request`: what cURL sends, written where the service's address is known. */
export type Samples = { request: Pick<Given, "target" | "query" | "body">; typescript: string; python: string; go: string; php: string };

/** Operations that a partner calls by another form: their samples are those of that one. */
const OTHER_FORM: Readonly<Record<string, string>> = {
  confirm_settlement: "confirm_one_settlement",
  cancel_settlement: "cancel_one_settlement",
};
/** What the SDKs for TypeScript and Python offer in another way, or not at all. */
const ONLY_BY_CALL = new Set(["list_events", "list_partner_payments", "report_leaked_key"]);
/** Whose body Python takes as keywords. */
const KEYWORDS = new Set([
  "confirm_one_settlement",
  "confirm_batch",
  "rotate_api_key",
  "rotate_callback_secret",
  "get_proof_status",
  "replay_event_destination",
]);
/** Where Python's word is another: its own is reserved. */
const RENAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  replay_event_destination: { from: "since" },
  convert_to_currency: { from: "source", to: "target" },
};

/** By operation: every operation of the two surfaces, but those that a provider calls. */
export function samplesOf(
  documents: readonly Json[],
  examples: OpenApiExamples,
  sources: { go: string; php: ReadonlyMap<string, string> },
) {
  const operations = documents.flatMap(({ paths }) =>
    Object.entries<Json>(paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    ),
  );
  const given = new Map(operations.map((one) => [one.operation.operationId, givenOf(one, examples)]));
  const samples: Record<string, Samples> = {};
  for (const { operation } of operations) {
    const id: string = operation.operationId;
    const one = given.get(OTHER_FORM[id] ?? id);
    if (one === undefined || operation["x-callers"].every((caller: string) => caller === "provider")) continue;
    const own = given.get(id) ?? one;
    samples[id] = {
      request: { target: own.target, query: own.query, body: own.body },
      typescript: typescript(one),
      python: python(one),
      go: goSample(one, sources.go),
      php: phpSample(one, sources.php),
    };
  }
  return samples;
}

/** The SDKs' name: `settlements.create`. Null: it has no method, and is called by method and path. */
function methodOf(id: string): string | null {
  return ONLY_BY_CALL.has(id) ? null : (METHODS[id]?.as ?? null);
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function typescript(given: Given): string {
  const { id, method, params, query, body, hasQuery } = given;
  const name = methodOf(id);
  const named = METHODS[id];
  const text = (value: unknown) => JSON.stringify(value, null, 2).replace(/^(\s*)"(\w+)":/gm, "$1$2:");
  if (name === null) {
    const call = { method, path: given.target, ...(query && { query }), ...(body !== null && { body }) };
    const surface = given.isOpen ? "open" : given.path.startsWith("/api/v1/") ? "settlement" : "partner";
    return `const answer = await client.call(${text({ surface, ...call })});\nconsole.log(answer);`;
  }
  const single = id === "get_proof_status" ? [JSON.stringify(Object(body).proof)] : null;
  const bodies = body === null || Object.keys(body).length === 0 ? [] : [text(body)];
  const queries = hasQuery && query !== null ? [id === "get_jwks" ? JSON.stringify(query.partner) : text(query)] : [];
  const intent = named?.isIntended ? ['{ intent: "order-1001" }'] : [];
  const given4 = [...params.map((value) => JSON.stringify(value)), ...(single ?? [...bodies, ...queries]), ...intent].join(", ");
  const call = `client.${camel(name)}(${given4})`;
  if (named?.kind === "none") return `await ${call};`;
  if (typeof named?.kind === "object") return `for await (const item of ${call}) console.log(item);`;
  return `const answer = await ${call};\nconsole.log(answer);`;
}

function python(given: Given): string {
  const { id, method, params, query, body } = given;
  const name = methodOf(id);
  const named = METHODS[id];
  if (name === null) {
    const more = [...(query ? [`query=${literal(query)}`] : []), ...(body === null ? [] : [`body=${literal(body)}`])];
    return `answer = client.call(${[JSON.stringify(method), JSON.stringify(given.target), ...more].join(", ")})\nprint(answer)`;
  }
  const keywords = (values: object) => Object.entries(values).map(([key, value]) => `${RENAMED[id]?.[key] ?? key}=${literal(value)}`);
  const single = id === "get_jwks" && query !== null ? [literal(query.partner)] : null;
  const bodies = body === null || Object.keys(body).length === 0 ? [] : KEYWORDS.has(id) ? keywords(body) : [literal(body)];
  const all = [
    ...params.map((value) => JSON.stringify(value)),
    ...bodies,
    ...(single ?? (query === null ? [] : keywords(query))),
    ...(named?.isIntended ? ['intent="order-1001"'] : []),
  ];
  const line = all.join(", ");
  const call = `client.${name}(${line.length > 60 && !line.startsWith("{") ? `\n    ${all.join(",\n").replaceAll("\n", "\n    ")},\n` : line})`;
  if (named?.kind === "none") return call;
  if (typeof named?.kind === "object") return `for item in ${call}:\n    print(item)`;
  return `answer = ${call}\nprint(answer)`;
}

/** A value as Python writes it. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 4)
    .replace(/^(\s*(?:"\w+": )?)true(,?)$/gm, "$1True$2")
    .replace(/^(\s*(?:"\w+": )?)false(,?)$/gm, "$1False$2")
    .replace(/^(\s*(?:"\w+": )?)null(,?)$/gm, "$1None$2");
}
