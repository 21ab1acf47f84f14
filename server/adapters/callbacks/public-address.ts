import { BlockList, isIPv4, isIPv6 } from "node:net";

/**
 * Which addresses belong to the public internet: the IANA special-purpose registries as one list. Written out rather than taken
 * from a package, because the packages know ranges by name and miss some (3fff::/20, 5f00::/16, fec0::/10, ::a.b.c.d).
 */
const SPECIAL_IPV4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared address space of carriers
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, and the metadata service of most clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
  "168.63.129.16/32", // looks public, and is the host of every Azure machine
];

/** Only 2000::/3 is handed out at all; these parts of it are special, or carry an IPv4 address inside. */
const SPECIAL_IPV6 = [
  "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID, AMT, drone ids
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
];

const special = new BlockList();
for (const range of SPECIAL_IPV4) special.addSubnet(network(range), prefix(range), "ipv4");
for (const range of SPECIAL_IPV6) special.addSubnet(network(range), prefix(range), "ipv6");
const allotted = new BlockList();
allotted.addSubnet("2000::", 3, "ipv6");

/** Whether a request to this address goes to the public internet. A text that is not a plain address is not public. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, "ipv4");
  // A zone (`fe80::1%eth0`) names one of our own interfaces.
  if (!isIPv6(address) || address.includes("%")) return false;
  return allotted.check(address, "ipv6") && !special.check(address, "ipv6");
}

/** Which addresses a callback may reach: those of the public internet, and those in networks that were allowed on purpose, as CIDR ranges. */
export function createReach(allowedNetworks: readonly string[]): (address: string) => boolean {
  const allowed = new BlockList();
  for (const range of allowedNetworks) allowed.addSubnet(network(range), prefix(range), isIPv4(network(range)) ? "ipv4" : "ipv6");
  return (address) =>
    isPublicAddress(address) ||
    (isIPv4(address) && allowed.check(address, "ipv4")) ||
    (isIPv6(address) && !address.includes("%") && !isMapped(address) && allowed.check(address, "ipv6"));
}

/** `::ffff:10.0.0.1` is an IPv4 address in other clothes, which the list would take off. */
function isMapped(address: string): boolean {
  return /^(?:0*:)*(?:ffff:)/i.test(address.replace(/^::/, "0:"));
}

function network(range: string): string {
  return range.slice(0, range.indexOf("/"));
}

function prefix(range: string): number {
  return Number(range.slice(range.indexOf("/") + 1));
}
