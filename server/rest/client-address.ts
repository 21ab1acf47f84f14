import ipaddr from "ipaddr.js";
import type { RawRequest } from "./raw-request.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Matches nothing, not even an allow-list with every address in it. */
const NOBODY = "unknown";

/**
 * The address that allow-lists and throttles see (contract, part 9): the socket's, or, from a peer that is a trusted proxy, the
 * last one of `X-Forwarded-For` that is not itself trusted.
 */
export function clientAddress(raw: Pick<RawRequest, "remoteAddress" | "headers">, trustedProxies: readonly string[]): string {
  if (!isWithin(raw.remoteAddress, trustedProxies)) return normal(raw.remoteAddress);
  const hops = (raw.headers.get("x-forwarded-for") ?? []).join(",").split(",");
  const addresses = hops.map((hop) => withoutPort(hop.trim())).filter((hop) => hop !== "");
  const client = addresses.findLast((address) => !isWithin(address, trustedProxies)) ?? addresses[0] ?? raw.remoteAddress;
  return normal(client);
}

/** Whether the address is one of, or lies in one of, the addresses and CIDR ranges. What is no address lies in none. */
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
function parse(text: string): Address | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

function parseRange(text: string): [Address, number] | null {
  try {
    return ipaddr.parseCIDR(text);
  } catch {
    return null;
  }
}

function normal(text: string): string {
  return parse(text)?.toString() ?? NOBODY;
}

/** Some proxies write `1.2.3.4:5678` and `[::1]:5678`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
}

/** What counts as one client where addresses are counted: of IPv6 the network that one customer is given, of which it has 2^64 addresses. */
export function clientBlock(address: string): string {
  const parsed = parse(address);
  if (!(parsed instanceof ipaddr.IPv6)) return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}
