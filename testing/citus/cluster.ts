import { existsSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_SETTINGS } from "#db/citus.ts";
import { migrate } from "#db/migrate.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import { startTemporaryPostgres, type TemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { findMachinePostgres, MACHINE_INITDB } from "#testing/machine-postgres.ts";

/** A coordinator and its workers: each is a PostgreSQL with Citus, on this machine. */
export type CitusCluster = {
  coordinator: TemporaryPostgres;
  workers: TemporaryPostgres[];
  /** The URLs of their superusers, the coordinator's first. */
  nodes: string[];
  stop(): Promise<void>;
  /** All that `stop` ends. */
  servers: TemporaryPostgres[];
};

/**
 * The folder with `bin` of a PostgreSQL with Citus: CITUS_POSTGRES, or the machine's.
 *
 * @throws Error in one sentence, where there is none
 */
export function citusPostgres(): string {
  const folder = process.env.CITUS_POSTGRES || findMachinePostgres();
  if (folder === null || !existsSync(join(folder, "lib", "citus.so")))
    throw new Error(
      "Citus is not installed: install it into this machine's PostgreSQL, or set CITUS_POSTGRES to the folder (with `bin`) of one that has it.",
    );
  return folder;
}

/** Nodes connect to each other as the role that asks, which has no password. They listen on loopback only. */
const INITDB = [...MACHINE_INITDB, "--auth-host=trust"];
export const CITUS_SETTINGS = {
  // A part that moves is copied up to what its node has written of its log: a commit that did not wait for that would be lost.
  synchronous_commit: "on",
  shared_preload_libraries: "citus,pg_stat_statements",
  "citus.stat_statements_track": "all",
  max_prepared_transactions: "200",
  wal_level: "logical",
  max_connections: "400",
  "citus.node_conninfo": "sslmode=prefer",
};

const start = (durable = false) =>
  startTemporaryPostgres({ durable, other: { binaries: citusPostgres(), initdb: INITDB }, settings: () => CITUS_SETTINGS });

/** Three servers with Citus on loopback, each in a temporary folder that is removed at the end. `durable`: with fsync. */
export async function startCitus(durable = false): Promise<CitusCluster> {
  const ends = await Promise.allSettled([start(durable), start(durable), start(durable)]);
  const servers = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  const stop = async () => void (await Promise.all(servers.map((server) => server.stop())));
  const failed = ends.find((end) => end.status === "rejected");
  const [coordinator, ...workers] = servers;
  if (failed !== undefined || coordinator === undefined) {
    await stop();
    throw failed?.reason;
  }
  return { coordinator, workers, nodes: servers.map(({ superuserUrl }) => superuserUrl), stop, servers };
}

/** The same node's URL for another database. */
export function inDatabase(url: string, name: string): string {
  const at = new URL(url);
  at.pathname = `/${name}`;
  return at.href;
}

/** An empty database on every node. The coordinator knows the others as its workers. */
export async function createCitusDatabase(nodes: readonly string[], name: string): Promise<void> {
  for (const url of nodes) await prepareNode(url, name);
  const [coordinator = "", ...workers] = nodes;
  await withConnection(inDatabase(coordinator, name), async (sql) => {
    await sql`select citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator)})`;
    for (const worker of workers) await sql`select citus_add_node('127.0.0.1', ${portOf(worker)})`;
  });
}

/** The same, migrated in Citus's layout. Returns its URL as the role that owns it. */
export async function migrateCitusDatabase({ nodes, coordinator }: CitusCluster, name: string): Promise<string> {
  await createCitusDatabase(nodes, name);
  const url = inDatabase(coordinator.adminUrl, name);
  await migrate(url, undefined, "citus");
  return url;
}

/** Starts another worker for a database, and makes it known to the coordinator. It has no rows yet. */
export async function addCitusNode({ servers, nodes: [coordinator = ""] }: CitusCluster, name: string): Promise<void> {
  const server = await start();
  servers.push(server);
  await prepareNode(server.superuserUrl, name);
  await withConnection(inDatabase(coordinator, name), (sql) => sql`select citus_add_node('127.0.0.1', ${portOf(server.superuserUrl)})`);
}

const portOf = (url: string) => Number(new URL(url).port);

async function prepareNode(url: string, name: string): Promise<void> {
  await withConnection(url, (sql) => sql.unsafe(`create database "${name}" owner tests`));
  await withConnection(inDatabase(url, name), (sql) => sql.unsafe("create extension citus; grant create on schema public to tests"));
}

/** Puts another server in a worker's place, which it is a copy of: the coordinator asks it from then on. */
export async function replaceCitusNode({ nodes }: CitusCluster, name: string, { from, to }: { from: string; to: string }): Promise<void> {
  nodes.splice(nodes.indexOf(from), 1, to);
  await withConnection(
    inDatabase(nodes[0] ?? "", name),
    (sql) => sql`select citus_update_node(nodeid, '127.0.0.1', ${portOf(to)}) from pg_dist_node where nodeport = ${portOf(from)}`,
  );
}

/** Closes the database to everybody on each node, as a copy of it requires. */
export async function closeCitusDatabase(nodes: readonly string[], name: string): Promise<void> {
  for (const url of nodes) {
    await withConnection(url, async (sql) => {
      await sql.unsafe(`alter database "${name}" allow_connections false`);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    });
  }
}

/** Opens it again on each node. */
export async function reopenCitusDatabase(nodes: readonly string[], name: string): Promise<void> {
  for (const url of nodes) await withConnection(url, (sql) => sql.unsafe(`alter database "${name}" allow_connections true`));
}

/** Copies a closed database on each node. Its nodes know each other by address, which is the same for the copy. */
export async function copyCitusDatabase(nodes: readonly string[], from: string, name: string): Promise<void> {
  for (const url of nodes) {
    await withConnection(url, async (sql) => {
      await sql.unsafe(`create database "${name}" template "${from}" owner tests strategy file_copy`);
      for (const setting of DATABASE_SETTINGS) await sql.unsafe(`alter database "${name}" set ${setting}`);
    });
  }
}

/** Drops a database on each node, with transactions that were prepared in it. */
export async function dropCitusDatabase(nodes: readonly string[], name: string): Promise<void> {
  for (const url of nodes) {
    await withConnection(inDatabase(url, name), async (sql) => {
      const prepared = await sql<{ gid: string }[]>`select gid from pg_prepared_xacts where database = current_database()`;
      for (const { gid } of prepared) await sql.unsafe(`rollback prepared '${gid}'`);
    }).catch(() => {});
    await withConnection(url, (sql) => sql.unsafe(`drop database if exists "${name}" with (force)`));
  }
}
