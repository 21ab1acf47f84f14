import ipaddr from "ipaddr.js";
import type { RawRequest } from "./raw-request.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Matches nothing, not even an allow-list with every address in it. */
const NOBODY = "unknown";
const MOST_KNOWN = 5_000;
const LONGEST_KNOWN = 64;

/**
 * The address for allow-lists and throttles (contract, part 9): the socket's, or, from a trusted proxy, the last one of `X-Forwarded-For`
 * that is not itself trusted.
 */
export function clientAddress(raw: Pick<RawRequest, "remoteAddress" | "headers">, trustedProxies: readonly string[]): string {
  if (!isWithin(raw.remoteAddress, trustedProxies)) return normal(raw.remoteAddress);
  const hops = (raw.headers.get("x-forwarded-for") ?? []).join(",").split(",");
  const addresses = hops.map((hop) => withoutPort(hop.trim())).filter((hop) => hop !== "");
  const client = addresses.findLast((address) => !isWithin(address, trustedProxies)) ?? addresses[0] ?? raw.remoteAddress;
  return normal(client);
}

/** Whether the address is in one of the addresses and CIDR ranges. An invalid address is in none. */
export function isWithin(text: string, ranges: readonly string[]): boolean {
  const address = parse(text);
  if (address === null) return false;
  return ranges.some((range) => {
    if (!range.includes("/")) return parse(range)?.toNormalizedString() === address.toNormalizedString();
    const block = parseRange(range);
    return block !== null && block[0].kind() === address.kind() && address.match(block);
  });
}

/** `process` unwraps `::ffff:1.2.3.4`, which is how a dual-stack socket names an IPv4 peer. */
const parse = remembering((text): Address | null => (ipaddr.isValid(text) ? ipaddr.process(text) : null));

const parseRange = remembering((text): [Address, number] | null => {
  try {
    return ipaddr.parseCIDR(text);
  } catch {
    return null;
  }
});

const normal = remembering((text) => parse(text)?.toString() ?? NOBODY);

/** A cache for the same few addresses. A text longer than any address is never cached, so nobody can fill the memory. */
function remembering<Result>(read: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = read(text);
    if (known.size >= MOST_KNOWN) known.clear();
    if (text.length <= LONGEST_KNOWN) known.set(text, result);
    return result;
  };
}

/** Some proxies write `1.2.3.4:5678` and `[::1]:5678`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
}
