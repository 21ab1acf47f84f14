import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { egressList, type Kind } from "./egress.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync("/tmp/settlement-egress-");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NAMES: Readonly<Record<string, readonly string[]>> = {
  "db.example.com": ["10.0.0.5"],
  "replica.example.com": ["10.0.0.6"],
  "node.example.com": ["203.0.113.9", "2001:db8::9"],
  "signer.example.com": ["10.0.0.7"],
  "collector.example.com": ["10.0.0.8"],
  "rail.example.com": ["203.0.113.20"],
  "id.example.com": ["203.0.113.30"],
};
const chains = [
  {
    chain: "eip155:1",
    rpc_urls: ["https://node.example.com/key-of-the-node"],
    explorer_url: "https://explorer.example.com",
    wallets: [{ signer: "remote", url: "https://signer.example.com:8443" }],
  },
];
const ENV = {
  BASE_URL: "https://pay.example.com",
  WEB_DATABASE_URL: "postgres://web:secret@db.example.com:5432/settlement?sslmode=verify-full",
  WORKER_DATABASE_URL: "postgres://worker:secret@db.example.com:5432/settlement",
  SIGNER_DATABASE_URL: "postgres://signer:secret@db.example.com:5432/settlement",
  DATABASE_READ_URL: "postgres://web:secret@replica.example.com/settlement",
  CHAINS: JSON.stringify(chains),
  OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example.com:4318",
  FIAT_RAIL_URL: "https://rail.example.com",
  TRUSTED_PROXIES: "127.0.0.1, 10.0.1.0/24",
};

const listOf = (kind: Kind, more: Partial<Parameters<typeof egressList>[0]> = {}) =>
  egressList({ kind, env: ENV, more: [], isPublic: false, nameServers: ["10.0.0.2"], ...more }, async (host) => NAMES[host] ?? []);
const allowedBy = (text: string) => [...text.matchAll(/^IPAddressAllow=(.+)$/gm)].flatMap(([, words = ""]) => words.split(" "));
const deniedBy = (text: string) => [...text.matchAll(/^IPAddressDeny=(.+)$/gm)].flatMap(([, words = ""]) => words.split(" "));

describe("the addresses of a unit", () => {
  it("of a web process are those that its settings name, its proxies and the name servers; not the provider, the signer or an explorer", async () => {
    const text = await listOf("web");
    expect(deniedBy(text)).toEqual(["any"]);
    expect(allowedBy(text)).toEqual([
      "localhost",
      ...["10.0.0.2", "10.0.0.5", "10.0.0.6", "2001:db8::9", "203.0.113.9", "10.0.0.8", "10.0.1.0/24"],
    ]);
    expect(text).not.toContain("secret");
    expect(text).not.toContain("key-of-the-node");
  });

  it("of a worker are its own and everything public, because receivers may be anywhere", async () => {
    const text = await listOf("worker");
    expect(deniedBy(text)).toEqual(expect.arrayContaining(["10.0.0.0/8", "169.254.0.0/16", "fc00::/7"]));
    expect(deniedBy(text)).not.toContain("any");
    expect(allowedBy(text)).toEqual(expect.arrayContaining(["10.0.0.5", "203.0.113.20"]));
    expect(allowedBy(text)).not.toContain("10.0.0.7");
  });

  it("of the signer are its database, the nodes and the remote signer", async () => {
    expect(allowedBy(await listOf("signer"))).toEqual(["localhost", "10.0.0.2", "10.0.0.5", "2001:db8::9", "203.0.113.9", "10.0.0.7"]);
  });

  it("grow by what the operator names, and a file of chains counts as its content", async () => {
    const file = join(folder, "chains.json");
    writeFileSync(file, JSON.stringify(chains));
    const { CHAINS: _inline, ...rest } = ENV;
    const text = await listOf("web", { env: { ...rest, CHAINS_FILE: file }, more: ["https://id.example.com/tenant", "10.9.0.0/16"] });
    expect(allowedBy(text)).toEqual(expect.arrayContaining(["203.0.113.9", "203.0.113.30", "10.9.0.0/16"]));
    expect(deniedBy(await listOf("web", { isPublic: true }))).toContain("10.0.0.0/8");
  });

  it("are not guessed: an unknown name, and what is no address, end it", async () => {
    await expect(listOf("web", { more: ["gone.example.com"] })).rejects.toThrow("given: gone.example.com has no address.");
    await expect(listOf("web", { more: ["10.0.0.1/x"] })).rejects.toThrow("is neither an address nor a name");
    await expect(listOf("web", { more: ["a\nExecStart=/bin/sh"] })).rejects.toThrow("is neither an address nor a name");
  });

  it("are what systemd reads as a drop-in of the unit", async () => {
    const unit = join(folder, "settlement-web@.service");
    mkdirSync(`${unit}.d`);
    writeFileSync(unit, readFileSync(join(ROOT, "packaging", "units", "settlement-web@.service")));
    const exposure = () => {
      const args = ["security", "--offline=yes", "--threshold=100", "--no-pager", "--json=short", unit];
      const { status, stdout, stderr } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
      const rows: { name: string; description: string }[] = JSON.parse(stdout);
      return rows.find(({ name }) => name === "IPAddressDeny=")?.description;
    };
    expect(exposure()).toMatch(/does not define an IP address allow list/);
    writeFileSync(join(`${unit}.d`, "egress.conf"), await listOf("web"));
    expect(exposure()).toMatch(/defines IP address allow list with non-localhost entries/);
  });
});
