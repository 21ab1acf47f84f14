import { randomUUID } from "node:crypto";
import { runInNewContext } from "node:vm";
import CryptoJS from "crypto-js";
import { z } from "zod";
import { type Answer, exchange } from "#sandbox/client/exchange.ts";
import { BASE_URL } from "./running-sandbox.ts";

/** A Postman collection, sent as Postman sends it: its variables, its switched-off parts, its scripts. */

const script = z.object({ listen: z.string(), script: z.object({ exec: z.array(z.string()) }) });
const part = z.object({ key: z.string(), value: z.string(), disabled: z.boolean().optional() });
const request = z.object({
  name: z.string(),
  event: z.array(script).optional(),
  request: z.object({
    method: z.string(),
    header: z.array(part),
    url: z.object({ raw: z.string(), query: z.array(part) }),
    body: z.object({ mode: z.enum(["raw", "urlencoded"]), raw: z.string().optional(), urlencoded: z.array(part).optional() }).optional(),
  }),
});
const folder = z.object({ name: z.string(), item: z.array(request) });
const collection = z.object({
  info: z.object({ name: z.string(), schema: z.string().endsWith("/v2.1.0/collection.json") }),
  variable: z.array(z.object({ key: z.string(), value: z.string() })),
  event: z.array(script).length(1),
  item: z.array(z.object({ name: z.string(), item: z.array(z.union([folder, request])) })),
});
export type PostmanRequest = z.infer<typeof request>;
type State = { url: string; body: string | undefined; headers: Map<string, string> };

/** As in Newman: nothing is awaited, and only the built-in package is available. */
function runScript(exec: readonly string[], pm: object): void {
  const require = (name: string) => {
    if (name !== "crypto-js") throw new Error(`Newman brings no ${name}`);
    return CryptoJS;
  };
  runInNewContext(`(() => {${exec.join("\n")}\n})()`, { pm, require, Date });
}

export class Postman {
  /** By the folder at the top. */
  readonly requests: ReadonlyMap<string, readonly PostmanRequest[]>;
  readonly #script: readonly string[];
  readonly #variables: Map<string, string>;

  constructor(text: string) {
    const { item, variable, event } = collection.parse(JSON.parse(text));
    this.requests = new Map(item.map((top) => [top.name, top.item.flatMap((each) => ("item" in each ? each.item : [each]))]));
    this.#script = event[0]?.script.exec ?? [];
    this.#variables = new Map(variable.map(({ key, value }) => [key, value]));
  }

  set(name: string, value: string): void {
    this.#variables.set(name, value);
  }

  /** `changes`: what a person would type over in the body before sending. */
  async send(named: string, { query = "", changes }: { query?: string; changes?: object } = {}): Promise<Answer> {
    const found = [...this.requests.values()].flat().find(({ name }) => name === named);
    if (found === undefined) throw new Error(`the collection has no ${named}`);
    const { method, header, url, body } = found.request;
    const raw = body?.raw !== undefined && changes !== undefined ? JSON.stringify({ ...JSON.parse(body.raw), ...changes }) : body?.raw;
    const headers = new Map(header.filter(({ disabled }) => disabled !== true).map(({ key, value }) => [key, value]));
    const state: State = { url: url.raw + query, body: raw, headers };
    const pm = this.#pm(method, state);
    runScript(this.#script, pm);
    for (const { listen, script: before } of found.event ?? []) if (listen === "prerequest") runScript(before.exec, pm);
    const sent = [...state.headers].map(([name, value]) => [name, this.#fill(value)] as const);
    const answer = await exchange(BASE_URL, { method, target: state.url.slice(BASE_URL.length), headers: sent, body: state.body });
    for (const { listen, script: after } of found.event ?? []) {
      const response = { code: answer.status, json: () => JSON.parse(answer.text) };
      if (listen === "test") runScript(after.exec, { ...pm, response });
    }
    return answer;
  }

  #pm(method: string, state: State): object {
    const body = { mode: "raw", raw: state.body, update: ({ raw }: { raw: string }) => Object.assign(state, { body: raw }) };
    return {
      variables: { get: (name: string) => this.#variables.get(name), replaceIn: (text: string) => this.#fill(text) },
      collectionVariables: { set: (name: string, value: string) => this.set(name, value) },
      request: {
        method,
        url: { toString: () => state.url, update: (url: string) => Object.assign(state, { url }) },
        headers: {
          get: (name: string) => state.headers.get(name),
          upsert: ({ key, value }: { key: string; value: string }) => state.headers.set(key, value),
        },
        body: state.body === undefined ? undefined : body,
      },
    };
  }

  #fill(text: string): string {
    const dynamic: Record<string, () => string> = { $guid: randomUUID, $timestamp: () => String(Math.floor(Date.now() / 1_000)) };
    return text.replaceAll(/\{\{(\$?\w+)\}\}/g, (whole, name: string) => dynamic[name]?.() ?? this.#variables.get(name) ?? whole);
  }
}
