/**
 * `settlement-service egress web [--public] [ADDRESS…]`, also for `worker` and `signer`: prints a drop-in for that unit, with the only addresses with
 * which its processes may exchange packets (systemd's `IPAddressAllow` and `IPAddressDeny`). They come from the settings: database, nodes, trace
 * collector, proxies and so on. ADDRESS adds what no setting names: an address, a network, a URL or a name. A worker reaches every public address,
 * since receivers may be anywhere; `--public` says the same for a web process. See docs/runbooks/packages.md.
 */
import { lookup } from "node:dns/promises";
import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { reads } from "#server/config/readers.ts";

export type Kind = "web" | "worker" | "signer";
type Environment = Readonly<Record<string, string | undefined>>;
type Asked = {
  kind: Kind;
  env: Environment;
  /** What no setting names. */
  more: readonly string[];
  isPublic: boolean;
  /** The machine's name servers. */
  nameServers: readonly string[];
};
/** The addresses of a name. */
type Resolve = (host: string) => Promise<readonly string[]>;

const URLS = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'\\,]+/gi;
/** Our own address, and what is only shown to people. */
const NOT_CALLED = ["BASE_URL", "SECURITY_CONTACT"];
const FILES: Readonly<Record<string, string>> = { CHAINS_FILE: "CHAINS", RATE_HTTP_FILE: "RATE_HTTP" };
/** Networks that are not reachable over the internet. */
const INNER = [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/3",
  "::/96 ::ffff:0:0/96 fc00::/7 fe80::/10 fec0::/10 ff00::/8",
].join(" ");

/** @throws Error where a name cannot be resolved, or an address is none */
export async function egressList({ kind, env, more, isPublic, nameServers }: Asked, resolve: Resolve): Promise<string> {
  const wanted = new Map<string, string[]>();
  const add = (why: string, address: string) => void wanted.set(why, [...(wanted.get(why) ?? []), address]);
  for (const server of nameServers) add("name servers", server);
  for (const [name, value] of settingsOf(kind, env)) for (const host of hostsOf(value)) add(name, host);
  if (kind === "web")
    for (const proxy of (env.TRUSTED_PROXIES ?? "").split(",")) if (proxy.trim() !== "") add("TRUSTED_PROXIES", proxy.trim());
  for (const one of more) add("given", URL.canParse(one) && one.includes("://") ? (hostsOf(one)[0] ?? one) : one);
  const lines: string[] = [];
  const seen = new Set<string>();
  for (const [why, hosts] of wanted)
    for (const host of new Set(hosts)) {
      const addresses = await addressesOf(why, host, resolve);
      const fresh = addresses.filter((address) => !isLoopback(address) && !seen.has(address));
      for (const address of fresh) seen.add(address);
      if (fresh.length > 0) lines.push(`# ${why}: ${host}`, `IPAddressAllow=${fresh.join(" ")}`);
    }
  const denied = isPublic || kind === "worker" ? INNER : "any";
  // An allowed address counts before a denied one, so the machine itself and these are reached in any case.
  return ["[Service]", "IPAddressDeny=", "IPAddressAllow=", `IPAddressDeny=${denied}`, "IPAddressAllow=localhost", ...lines, ""].join("\n");
}

/** What the process gets and calls, with files in place of their names. */
function settingsOf(kind: Kind, env: Environment): [name: string, value: string][] {
  return Object.entries(env).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || NOT_CALLED.includes(name) || !reads(kind, name)) return [];
    const of = FILES[name];
    const text = of === undefined ? value : readFileSync(value, "utf8");
    return [[of ?? name, (of ?? name) === "CHAINS" ? chainsOf(kind, text) : text]];
  });
}

/** Only the signer calls a remote signer, and no process calls an explorer. */
function chainsOf(kind: Kind, text: string): string {
  const without = ["explorer_url", ...(kind === "signer" ? [] : ["wallets"])];
  return JSON.stringify(JSON.parse(text), (name, value: unknown) => (without.includes(name) ? undefined : value));
}

function hostsOf(text: string): string[] {
  return [...text.matchAll(URLS)].flatMap(([url]) => {
    // The scheme of databases and brokers says nothing to URL about hosts.
    const asked = url.replace(/^[a-z][a-z0-9+.-]*:/i, "http:");
    return URL.canParse(asked) ? [new URL(asked).hostname.replace(/^\[|\]$/g, "")] : [];
  });
}

async function addressesOf(why: string, host: string, resolve: Resolve): Promise<readonly string[]> {
  const [address = "", bits, ...rest] = host.split("/");
  if (isIP(address) !== 0 && rest.length === 0 && (bits === undefined || /^\d{1,3}$/.test(bits))) return [host];
  if (host === "localhost") return [];
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host)) throw new Error(`${why}: ${host} is neither an address nor a name.`);
  const found = await resolve(host).catch(() => []);
  if (found.length === 0) throw new Error(`${why}: ${host} has no address.`);
  return found.toSorted();
}

const isLoopback = (address: string) => /^127\./.test(address) || address === "::1";

const RESOLVER = "/etc/resolv.conf";

if (import.meta.main) {
  const [kind = "", ...rest] = process.argv.slice(2);
  try {
    if (kind !== "web" && kind !== "worker" && kind !== "signer")
      throw new Error("Usage: settlement-service egress web|worker|signer [--public] [ADDRESS…]");
    const text = existsSync(RESOLVER) ? readFileSync(RESOLVER, "utf8") : "";
    const nameServers = [...text.matchAll(/^nameserver\s+([^\s%]+)/gm)].map(([, server = ""]) => server);
    const asked: Asked = {
      kind,
      env: process.env,
      more: rest.filter((one) => one !== "--public"),
      isPublic: rest.includes("--public"),
      nameServers,
    };
    const resolve: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);
    process.stdout.write(await egressList(asked, resolve));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
