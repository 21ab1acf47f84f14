import ipaddr from "ipaddr.js";
import type { Variables } from "./variables.ts";

/** Reports settings that trust, reach or expose more of the network than is safe in live mode. */
export function reportUnsafeNetwork(variables: Variables, report: (problem: string) => void): void {
  reportProxies(variables.TRUSTED_PROXIES, report);
  for (const range of variables.CALLBACK_ALLOWED_NETWORKS) {
    const covered = NEVER_A_RECEIVER.find((address) => covers(range, address));
    if (covered)
      report(`CALLBACK_ALLOWED_NETWORKS: ${range} holds ${covered}, which is no partner's; name the networks of your receivers alone.`);
  }
  for (const port of variables.CALLBACK_PORTS ?? []) {
    if (isOfAnotherService(port))
      report(`CALLBACK_PORTS: ${port} is a port of another service; name the ports of your partners' receivers.`);
  }
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_HEADERS: headers = {} } = variables;
  if (collector !== undefined && Object.keys(headers).length > 0 && isInTheClear(collector))
    report(
      "OTEL_EXPORTER_OTLP_ENDPOINT must be https: OTEL_EXPORTER_OTLP_HEADERS are sent there; use https or a collector on this machine.",
    );
}

/** Whether others could read and change the traffic. */
export function isInTheClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol !== "https:" && !isLoopback(hostname);
}

export function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  return address === "localhost" || (ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback");
}

/** Wider than anybody's own proxies, a range by itself: above /8, for IPv6 above /16. Together they may be twice as much. */
const WIDEST_BITS = { ipv4: 8, ipv6: 16 } as const;

function reportProxies(ranges: readonly string[], report: (problem: string) => void): void {
  const sizes = ranges.map((range) => ({ range, ...sizeOf(range) }));
  const wide = sizes.filter(({ family, bits }) => bits < WIDEST_BITS[family]);
  for (const { range } of wide) report(`TRUSTED_PROXIES: ${range} trusts too many addresses; name your own proxies.`);
  const isTooMuch = (["ipv4", "ipv6"] as const).some((of) => {
    const share = sizes.reduce((sum, { family, bits }) => (family === of ? sum + 2 ** -bits : sum), 0);
    return share > 2 ** (1 - WIDEST_BITS[of]);
  });
  if (wide.length === 0 && isTooMuch) report("TRUSTED_PROXIES: together these ranges trust too many addresses; name your own proxies.");
}

/** How many leading bits a range fixes; IPv4 that is written as IPv6 counts as IPv4. */
function sizeOf(range: string): { family: "ipv4" | "ipv6"; bits: number } {
  const [network, bits] = range.includes("/") ? ipaddr.parseCIDR(range) : [ipaddr.parse(range), Number.POSITIVE_INFINITY];
  if (network instanceof ipaddr.IPv4) return { family: "ipv4", bits };
  return network.isIPv4MappedAddress() ? { family: "ipv4", bits: bits - 96 } : { family: "ipv6", bits };
}

/** This machine, and where clouds hand out a machine's own credentials. */
const NEVER_A_RECEIVER = ["127.0.0.1", "0.0.0.0", "::1", "169.254.169.254", "fd00:ec2::254", "fe80::1"];

function covers(range: string, address: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(range);
  const parsed = ipaddr.parse(address);
  return network.kind() === parsed.kind() && parsed.match(network, bits);
}

/** The system's own ports but the web's, and where databases, stores, queues and machines' controls listen. */
const SYSTEM_PORTS_END = 1_024;
const WEB_PORTS: readonly number[] = [80, 443];
const SERVICE_PORTS: readonly number[] = [
  1_433, 1_521, 2_049, 2_181, 2_375, 2_376, 2_379, 2_380, 3_306, 3_389, 4_369, 5_432, 5_672, 5_900, 5_984, 5_985, 5_986, 6_000, 6_379,
  6_432, 6_443, 7_001, 8_020, 8_086, 8_500, 9_042, 9_092, 9_200, 9_300, 10_250, 11_211, 15_672, 27_017,
];

function isOfAnotherService(port: number): boolean {
  return (port < SYSTEM_PORTS_END && !WEB_PORTS.includes(port)) || SERVICE_PORTS.includes(port);
}
