import { isIP } from "node:net";
import { createReach } from "./public-address.ts";
import { type Resolve, resolveExemptName } from "./resolve.ts";
import { readUrlForm } from "./url-form.ts";

/** The guard's verdict on a URL. Only these `addresses` may be connected to; empty when the name does not resolve. */
export type Admission =
  | { verdict: "allowed"; url: URL; target: string; addresses: string[] }
  | { verdict: "unresolved"; url: URL; reason: string }
  | { verdict: "malformed" | "forbidden"; reason: string };

export type GuardOptions = {
  /** Sandbox only. */
  allowHttp: boolean;
  /** Host names and addresses, without ports, that are called wherever they lead. Sandbox only. */
  exemptHosts: readonly string[];
  /** The only allowed ports at hosts that are not exempt; null: any. */
  ports?: readonly number[] | null;
  /** CIDR ranges that callbacks may reach although they are not public. */
  allowedNetworks?: readonly string[];
  resolve: Resolve;
};
export type Guard = (text: string) => Promise<Admission>;

const FORBIDDEN = "The URL's host leads to an address that callbacks must not reach.";
const NOT_PUBLIC_NAME = "The URL's host is not a public name.";
/** Names that never lead out, whatever a resolver may say (RFC 6761, 6762, 8375, and ICANN's `.internal`). */
const PRIVATE_SUFFIXES = ["localhost", "local", "internal", "home.arpa", "localdomain"];
/** A name with more addresses than this is refused. */
const MAX_ADDRESSES = 32;

/**
 * The one function that guards creation, resend and every attempt (contract, part 4). Every address of the name must be public or in an
 * allowed network, or none is used. The caller must connect to the returned addresses without resolving again: otherwise a name that
 * changes in between could point to an internal address.
 */
export function createGuard(options: GuardOptions): Guard {
  const exempt = new Set(options.exemptHosts.map(canonicalHost));
  const allowedNetworks = options.allowedNetworks ?? [];
  const mayReach = createReach(allowedNetworks);
  // Where an own network is allowed, internal names resolve too; their addresses are checked like any.
  const refusesName = (host: string) => allowedNetworks.length === 0 && isPrivateName(host);
  return async (text) => {
    const form = readUrlForm(text, options.allowHttp);
    if (!("url" in form)) return { verdict: "malformed", reason: form.reason };
    const { url, target } = form;
    const host = hostOf(url);
    const exempted = exempt.has(host);
    if (!exempted && options.ports && !options.ports.includes(portOf(url))) {
      return { verdict: "forbidden", reason: `The URL's port must be ${options.ports.join(" or ")}.` };
    }
    if (isIP(host)) {
      return exempted || mayReach(host)
        ? { verdict: "allowed", url, target, addresses: [host] }
        : { verdict: "forbidden", reason: FORBIDDEN };
    }
    if (!exempted && refusesName(host)) return { verdict: "forbidden", reason: NOT_PUBLIC_NAME };
    const addresses = await (exempted ? resolveExemptName : options.resolve)(host).catch(() => []);
    if (addresses.length === 0) return { verdict: "unresolved", url, reason: "The URL's host name does not resolve." };
    if (!exempted && (addresses.length > MAX_ADDRESSES || !addresses.every(mayReach))) return { verdict: "forbidden", reason: FORBIDDEN };
    return { verdict: "allowed", url, target, addresses };
  };
}

/** The host as it is compared and resolved: lower case, without the brackets of IPv6 and without the root's dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/** The port that is connected to. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

function canonicalHost(entry: string): string {
  const written = isIP(entry) === 6 ? `[${entry}]` : entry;
  const url = URL.parse(`http://${written}`);
  return url === null ? entry.toLowerCase() : hostOf(url);
}

function isPrivateName(host: string): boolean {
  if (!host.includes(".")) return true;
  return PRIVATE_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`));
}
