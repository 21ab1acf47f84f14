import { chmodSync, chownSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { timeUntil } from "#fault/world.ts";
import { findFreePort } from "#sandbox/free-port.ts";
import { type GuardedProcess, startGuarded } from "#sandbox/guarded-process.ts";
import { type Identity, postgresIdentity } from "#sandbox/postgres/identity.ts";
import { serverUrl, withConnection } from "#sandbox/postgres/server.ts";
import { opsFile, withValues } from "#testing/ops-file.ts";
import { openNode, type PatroniNode } from "./patroni-node.ts";
import { isPrimary, type Program, pathOf, SERVER } from "./programs.ts";

const PATRONI: Program = { name: "patroni", from: "patroni" };
const ETCD: Program = { name: "etcd", from: "etcd-server" };
const HAPROXY: Program = { name: "haproxy", from: "haproxy" };
export const NEEDED: readonly Program[] = [SERVER, PATRONI, ETCD, HAPROXY];

const WHOLE_WITHIN_MS = 180_000;

/** Two PostgreSQL servers under Patroni, a primary and a standby with every commit, and a proxy to the primary. */
export type PatroniCluster = {
  /** Through the proxy, as a role that may create databases and roles. */
  adminUrl: string;
  nodes: readonly PatroniNode[];
  /** Who has the lease just now. @throws Error when nobody has */
  leader(): Promise<PatroniNode>;
  /** Settles when one leads, the other follows synchronously, and the proxy lets through. */
  untilWhole(): Promise<void>;
  stop(): Promise<void>;
};

/** By the very files of `ops/database`; one etcd, where an installation has three. */
export async function startPatroniCluster(password: string): Promise<PatroniCluster> {
  const identity = postgresIdentity();
  const folder = mkdtempSync(join("/tmp", "settlement-patroni-"));
  chmodSync(folder, 0o711);
  const started: GuardedProcess[] = [];
  const nodes: PatroniNode[] = [];
  const stop = async () => {
    for (const node of nodes) await node.stop();
    for (const each of started) await each.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const place = (name: string) => own(join(folder, name), identity);
    const etcd = await startEtcd(place("etcd"), identity);
    started.push(etcd.program);
    const file = join(folder, "patroni.yml");
    writeFileSync(file, withValues(opsFile("patroni.yml"), { unix_socket_directories: place("sockets") }));
    for (const name of ["node-1", "node-2"])
      nodes.push(openNode({ name, file, folder: place(name), etcd: etcd.address, password, identity, ports: await somePorts() }));
    const port = await findFreePort();
    started.push(startProxy(place("proxy"), { port, nodes, identity }));
    for (const node of nodes) {
      node.start();
      // The first one begins the cluster, the second one copies it.
      if ((await timeUntil(async () => (await node.leads()) || (await node.follows()), WHOLE_WITHIN_MS)) === null)
        throw new Error(`${node.name} did not start: ${node.said()}`);
    }
    const superuser = serverUrl({ port, password }, "postgres");
    const leader = async () => {
      for (const node of nodes) if (await node.leads()) return node;
      throw new Error("nobody leads");
    };
    const isWhole = async () => {
      const leading = await leader();
      const others = await Promise.all(nodes.filter((node) => node !== leading).map((node) => node.follows()));
      return others.every(Boolean) && (await isPrimary(superuser));
    };
    const untilWhole = async () => {
      if ((await timeUntil(isWhole, WHOLE_WITHIN_MS, 200)) === null)
        throw new Error(`the cluster did not get whole: ${nodes.map((node) => node.said()).join("\n")}`);
    };
    await untilWhole();
    await withConnection(superuser, async (sql) => {
      await sql.unsafe(`create role tests login createdb createrole password '${password}'`); // our own hexadecimal digits
      await sql.unsafe("create database tests owner tests");
    });
    return { adminUrl: `postgres://tests:${password}@127.0.0.1:${port}/tests`, nodes, leader, untilWhole, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function somePorts(): Promise<{ server: number; api: number }> {
  const server = await findFreePort();
  return { server, api: await findFreePort() };
}

function own(path: string, identity: Identity | null): string {
  mkdirSync(path, { mode: 0o700 });
  if (identity !== null) chownSync(path, identity.uid, identity.gid);
  return path;
}

type Started = { program: GuardedProcess; address: string };

async function startEtcd(folder: string, identity: Identity | null): Promise<Started> {
  const address = `127.0.0.1:${await findFreePort()}`;
  const [client, peer] = [`http://${address}`, `http://127.0.0.1:${await findFreePort()}`];
  const listens = ["--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer];
  const alone = ["--initial-advertise-peer-urls", peer, "--initial-cluster", `one=${peer}`];
  const args = ["--enable-v2", "--name", "one", "--data-dir", join(folder, "data"), ...listens, ...alone];
  const log = openSync(join(folder, "log"), "a");
  const program = startGuarded({ command: pathOf(ETCD), args, endSignal: "TERM", log, identity });
  closeSync(log);
  const isUp = async () => (await fetch(`${client}/health`, { signal: AbortSignal.timeout(1_000) })).ok;
  if ((await timeUntil(isUp, 30_000)) === null) {
    await program.stop();
    throw new Error(`etcd did not start: ${readFileSync(join(folder, "log"), "utf8").slice(-2_000)}`);
  }
  return { program, address };
}

type Before = { port: number; nodes: readonly PatroniNode[]; identity: Identity | null };

function startProxy(folder: string, { port, nodes, identity }: Before): GuardedProcess {
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, opsFile("haproxy.cfg"), { mode: 0o644 });
  const [one, two] = nodes;
  const addresses = { NODE_1: `127.0.0.1:${one?.ports.server}`, NODE_2: `127.0.0.1:${two?.ports.server}` };
  const apis = { NODE_1_API: String(one?.ports.api), NODE_2_API: String(two?.ports.api) };
  const env = { ...process.env, PROXY_LISTEN: `127.0.0.1:${port}`, ...addresses, ...apis };
  const log = openSync(join(folder, "log"), "a");
  const program = startGuarded({ command: pathOf(HAPROXY), args: ["-db", "-f", file], endSignal: "TERM", log, env, identity });
  closeSync(log);
  return program;
}
