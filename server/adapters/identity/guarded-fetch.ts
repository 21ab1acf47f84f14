import http from "node:http";
import https from "node:https";
import { createGuard, type GuardOptions } from "#server/adapters/callbacks/guard.ts";
import { placeOf } from "#server/adapters/callbacks/kept-connections.ts";
import { resolvePublicName } from "#server/adapters/callbacks/resolve.ts";

export type GuardedFetchOptions = Omit<GuardOptions, "resolve"> & { resolve?: GuardOptions["resolve"]; ca?: string };

/** A whole exchange, whatever the other side does. */
const DEADLINE_MS = 8_000;
/** The most of an answer; a longer one is an error. */
const MOST_BYTES = 512 * 1_024;

/**
 * `fetch` for requests to addresses that somebody else names: by the rules of callbacks, to a checked address and no other, without
 * redirects, and with limits of time and length.
 */
export function createGuardedFetch({ ca, ...options }: GuardedFetchOptions): typeof fetch {
  const guard = createGuard({ ...options, resolve: options.resolve ?? resolvePublicName });
  return async (input, init = {}) => {
    const text = input instanceof Request ? input.url : String(input);
    const admission = await guard(text);
    if (admission.verdict !== "allowed") throw new Error(`the request was not sent: ${admission.reason}`);
    const { url, target, addresses } = admission;
    let trouble: unknown = new Error("the host has no address");
    for (const address of addresses) {
      try {
        return await exchange({ url, addresses, ca }, address, target, init);
      } catch (error) {
        trouble = error;
        if (!isRefusedConnection(error)) throw error;
      }
    }
    throw trouble;
  };
}

/** Nothing was sent: another address of the name may answer. */
function isRefusedConnection(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
}

type Place = Parameters<typeof placeOf>[0];

function exchange(place: Place, address: string, target: string, init: RequestInit): Promise<Response> {
  const headers = Object.fromEntries(new Headers(init.headers));
  const body = init.body == null ? null : String(init.body);
  const request = place.url.protocol === "http:" ? http.request : https.request;
  return new Promise((resolve, reject) => {
    const outgoing = request({
      ...placeOf(place, address),
      method: init.method ?? "GET",
      path: target,
      headers: { ...headers, host: place.url.host, "accept-encoding": "identity" },
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > MOST_BYTES) outgoing.destroy(new Error("the answer is too long"));
        else chunks.push(chunk);
      });
      response.on("error", reject);
      response.on("end", () => resolve(answerOf(response, chunks)));
    });
    outgoing.end(body ?? undefined);
  });
}

function answerOf({ statusCode = 0, headers }: http.IncomingMessage, chunks: Buffer[]): Response {
  const kept = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]));
  const hasBody = statusCode !== 204 && statusCode !== 304;
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status: statusCode, headers: kept });
}
