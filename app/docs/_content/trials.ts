import recorded from "#contract/openapi-examples.json" with { type: "json" };
import type { Site } from "../_parts/site.ts";
import { memberExample, TOPUPS, WITHDRAWALS } from "./fiat-examples.ts";
import { OPERATIONS } from "./operations.ts";

/** What the form of "Try it" can send. `signed`: as under /api/v1; otherwise only the key identifies the caller. */
export type Trial = { name: string; method: string; path: string; body: string; signed: boolean };

const REQUESTS: Readonly<Record<string, unknown>> = recorded.settlement.requests;

/** Every operation of the settlement surface with a recorded body, and fiat in and out. */
export function trialsOf(site: Site): Trial[] {
  const settlement = OPERATIONS.map(({ id, summary, method, path, caller }) => {
    const body = id === "echo" ? { hello: "world" } : REQUESTS[id];
    return { name: summary, method, path, body: method === "GET" || body === undefined ? "" : pretty(body), signed: caller === "signed" };
  });
  const fiat = [memberExample, ...WITHDRAWALS, ...TOPUPS].map((example) => {
    const { method, path, summary } = example.operation;
    const name = "title" in example ? `${summary}: ${example.title}` : summary;
    return { name, method, path, body: pretty(example.body(site)), signed: false };
  });
  return [...settlement, ...fiat];
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
