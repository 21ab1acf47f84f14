/** What a sample sends: the recorded request of its operation, with the ids of its recorded answer. */

import { METHODS } from "./sdk-methods.ts";

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into member by member.
type Json = any;

export type OpenApiExamples = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;

export type Given = {
  id: string;
  method: string;
  path: string;
  /** The path with its values. */
  target: string;
  isOpen: boolean;
  /** Of the path, in order. */
  params: string[];
  /** Null: none is sent. */
  query: Record<string, string | number> | null;
  hasQuery: boolean;
  /** Null: it takes none. */
  body: Record<string, unknown> | null;
};

/** Ids of the form that the service gives out, for a path whose answer does not contain them. */
const IDS: Readonly<Record<string, string>> = {
  tx_id: "tx_01m83afs464ypehcywgvr9cda6",
  batch_id: "ba_01m83afs464ypehcywgvr9cda7",
  callback_id: "cb_01m83afs464ypehcywgvr9cda8",
  event_id: "ev_01m83afs464ypehcywgvr9cda9",
  destination_id: "de_01m83afs464ypehcywgvr9cdb0",
  external_user_id: "user-1001",
  partner_id: "0199b1c8-6c50-7cc3-8f0e-6f2f6e1d7a10",
};
const ANY_ID = "0199b1c8-6c50-7cc3-8f0e-6f2f6e1d7a11";

export function givenOf({ path, method, operation }: { path: string; method: string; operation: Json }, examples: OpenApiExamples): Given {
  const id: string = operation.operationId;
  const kept = (kind: string) =>
    Object.values(examples).flatMap((surface) => (surface[kind]?.[id] === undefined ? [] : [surface[kind][id]]))[0];
  const answer = Object.values(Object(kept("answers")))[0];
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const params = named.map((name) => idOf(name, id, answer));
  const parameters = (operation.parameters ?? []).filter((one: Json) => one.in === "query");
  const numbers = new Set(parameters.flatMap((one: Json) => ([one.schema.type].flat().includes("integer") ? [one.name] : [])));
  // An SDK reads all pages: their size is no matter.
  const walks = typeof METHODS[id]?.kind === "object";
  const asked = Object.entries(Object(kept("queries"))).filter(([name]) => !(walks && name === "limit"));
  const query = asked.map(([name, value]) => [name, numbers.has(name) ? Number(value) : String(value)]);
  return {
    id,
    method,
    path,
    target: named.reduce((target, name, place) => target.replace(`{${name}}`, params[place] ?? ""), path),
    isOpen: operation["x-callers"].includes("anybody"),
    params,
    query: query.length === 0 ? null : Object.fromEntries(query),
    hasQuery: parameters.length > 0,
    body: operation.requestBody === undefined ? null : Object(kept("requests")),
  };
}

function idOf(name: string, operation: string, answer: unknown): string {
  const member = Object(answer)[name] ?? (name.endsWith("id") && name !== "partner_id" ? Object(answer).id : undefined);
  if (
    typeof member === "string" &&
    (IDS[name] === undefined || member.slice(0, 3) === IDS[name].slice(0, 3) || name === "external_user_id")
  )
    return member;
  if (IDS[name] !== undefined) return IDS[name];
  if (operation.startsWith("withdraw")) return "wd_01m83afs464ypehcywgvr9cdb1";
  if (operation.startsWith("topup")) return "tu_01m83afs464ypehcywgvr9cdb2";
  return ANY_ID;
}
