import { lookup, Resolver } from "node:dns/promises";

/** All addresses of a host name, IPv4 first; throws when there are none. */
export type Resolve = (host: string) => Promise<string[]>;

/** Two tries of one name server at most, so that a name never costs a fraction of the attempt's own deadline. */
const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/**
 * Asks DNS. Not `dns.lookup`: that one occupies a thread of a small pool, and four names with hanging servers would delay every other
 * callback, and the rest of the process. So the machine's hosts file does not count, which is intended.
 */
export async function resolvePublicName(host: string): Promise<string[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = [...(four.status === "fulfilled" ? four.value : []), ...(six.status === "fulfilled" ? six.value : [])];
  if (addresses.length > 0) return addresses;
  throw four.status === "rejected" ? four.reason : new Error("the name has no address");
}

/** For hosts that are exempt by name, which may be in the machine's hosts file. Sandbox only. */
export async function resolveExemptName(host: string): Promise<string[]> {
  if (host === "localhost") return ["127.0.0.1", "::1"];
  const found = await lookup(host, { all: true });
  return found.sort((left, right) => left.family - right.family).map((entry) => entry.address);
}
