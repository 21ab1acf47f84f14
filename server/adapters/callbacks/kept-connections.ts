import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { hostOf, portOf } from "./guard.ts";

/**
 * Connections that were used and may be used again. Each is kept under the very address that it leads to, with the port and, where TLS
 * vouches for a name, that name: an attempt takes one only where its own question to DNS has just answered that address, and its guard has
 * judged it. What a name led to before does not count.
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

/** The connection's own part of a request's options: what it is kept under. */
export function placeOf({ url, ca }: Place, address: string): https.RequestOptions {
  const place = { host: address, port: portOf(url) };
  if (url.protocol === "http:") return place;
  const host = hostOf(url);
  return { ...place, rejectUnauthorized: true, servername: isIP(host) ? "" : host, ...(ca ? { ca } : {}) };
}

/** The judged addresses, those to which a connection is kept before the others. */
export function keptFirst(place: Place): string[] {
  if (place.addresses.length < 2) return [...place.addresses];
  return place.addresses.toSorted((left, right) => Number(isKept(place, right)) - Number(isKept(place, left)));
}

function isKept(place: Place, address: string): boolean {
  const agent = agentFor(place.url);
  return (agent.freeSockets[agent.getName(placeOf(place, address))] ?? []).some((socket) => !socket.destroyed);
}
