/**
 * The unit for counting clients by address: for IPv6 the network assigned to one customer, who has 2^64 addresses of it. Takes an address
 * in its usual form; anything without a colon stays as it is.
 */
export function addressBlock(address: string): string {
  if (!address.includes(":")) return address;
  const [before = [], after = []] = address.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const zeros: string[] = address.includes("::") ? new Array(Math.max(0, 8 - before.length - after.length)).fill("0") : [];
  const network = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
