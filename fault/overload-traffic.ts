import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createBody, noted, SETTLEMENTS } from "#fault/traffic.ts";
import type { Answer } from "#sandbox/client/exchange.ts";
import { signedHeaders } from "#sandbox/client/signing.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

export type Key = { api_key: string; api_secret: string };
/** A request for a quote, with the time since the load began. `status` null: no answer. `fault`: what its answer lacks; null: nothing. */
export type Sample = { key: Key; sentMs: number; tookMs: number; status: number | null; fault: string | null };
/** `perSecond`: requests that are sent whether or not earlier ones were answered. */
export type Load = { perSecond: number; forMs: number; keyOf(number: number): Key };

/** More than the service could have open at any time. */
const MOST_SOCKETS = 2_000;
const TICK_MS = 20;
/** What the body of a refusal names (contract, part 5). */
const CODES: Readonly<Record<number, string>> = { 429: "rate_limited", 503: "temporarily_unavailable" };
/** Code is loaded and connections are opened, before the capacity is measured. */
const WARM_MS = 1_000;

/** Clients that ask for quotes over lasting connections. */
export function openClients(world: World, random: Random) {
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_SOCKETS });
  const [url = ""] = world.webs;
  const quote = async (key: Key): Promise<Answer | null> => {
    const body = JSON.stringify(createBody(world, random));
    return await noted(world, "quote", () => post(agent, url, { key, body }));
  };
  return {
    /** How many quotes a second the service makes for clients that wait for each answer. */
    async measureCapacity(keys: readonly Key[], { clients, forMs }: { clients: number; forMs: number }): Promise<number> {
      const from = performance.now() + WARM_MS;
      let made = 0;
      const loops = Array.from({ length: clients }, async (_, number) => {
        const key = keys[number % keys.length];
        while (key !== undefined && performance.now() < from + forMs)
          if ((await quote(key))?.status === 201 && performance.now() >= from) made += 1;
      });
      await Promise.all(loops);
      return made / ((performance.now() - from) / 1_000);
    },
    /** Asks at that rate, and settles once everything is answered. */
    async ask({ perSecond, forMs, keyOf }: Load): Promise<Sample[]> {
      const began = performance.now();
      const asked: Promise<Sample>[] = [];
      const one = async (key: Key): Promise<Sample> => {
        const sentMs = performance.now() - began;
        const answer = await quote(key);
        return { key, sentMs, tookMs: performance.now() - began - sentMs, status: answer?.status ?? null, fault: faultOf(answer) };
      };
      for (let passedMs = 0; passedMs < forMs; passedMs = performance.now() - began) {
        while (asked.length < (perSecond * passedMs) / 1_000) asked.push(one(keyOf(asked.length)));
        await sleep(TICK_MS);
      }
      return await Promise.all(asked);
    },
    close: () => agent.destroy(),
  };
}

function faultOf(answer: Answer | null): string | null {
  const code = CODES[answer?.status ?? 0];
  if (answer === null || answer.status === 201) return null;
  if (answer.headers["retry-after"] === undefined) return "no Retry-After";
  return answer.text.includes(`"code":"${code}"`) ? null : `not ${code}: ${answer.text.slice(0, 200)}`;
}

function post(agent: Agent, url: string, { key, body }: { key: Key; body: string }): Promise<Answer> {
  const { hostname, port, host } = new URL(url);
  const signed = signedHeaders(key, { method: "POST", target: SETTLEMENTS, body });
  const headers = [["Host", host], ...signed, ["Content-Length", String(Buffer.byteLength(body))]].flat();
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method: "POST", path: SETTLEMENTS, headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const bytes = Buffer.concat(chunks);
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes, text: bytes.toString("utf8") });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
