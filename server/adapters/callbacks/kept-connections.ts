import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { hostOf, portOf } from "./guard.ts";

/**
 * Idle connections for reuse. Each is keyed by its exact address, its port and, with TLS, the verified name: an attempt reuses one only if
 * its own DNS lookup has just returned that address and its guard has accepted it. Earlier lookups do not count.
 */
const KEPT = {
  keepAlive: true,
  /** Idle connections of one place. */
  maxFreeSockets: 32,
  /** An idle one is closed sooner than receivers do it: what breaks as it is used again fails the attempt. */
  timeout: 1_000,
};
const plain = new http.Agent(KEPT);
// No session is resumed: each TLS connection proves its certificate again.
const secure = new https.Agent({ ...KEPT, maxCachedSessions: 0 });

/** What a request says about where it goes. */
type Place = { url: URL; addresses: readonly string[]; ca: string | undefined };

export function agentFor(url: URL): http.Agent {
  return url.protocol === "http:" ? plain : secure;
}

/** The connection's part of a request's options: its key. */
export function placeOf({ url, ca }: Place, address: string): https.RequestOptions {
  const place = { host: address, port: portOf(url) };
  if (url.protocol === "http:") return place;
  const host = hostOf(url);
  return { ...place, rejectUnauthorized: true, servername: isIP(host) ? "" : host, ...(ca ? { ca } : {}) };
}

/** The accepted addresses, those with a kept connection first. */
export function keptFirst(place: Place): string[] {
  if (place.addresses.length < 2) return [...place.addresses];
  return place.addresses.toSorted((left, right) => Number(isKept(place, right)) - Number(isKept(place, left)));
}

function isKept(place: Place, address: string): boolean {
  const agent = agentFor(place.url);
  return (agent.freeSockets[agent.getName(placeOf(place, address))] ?? []).some((socket) => !socket.destroyed);
}
