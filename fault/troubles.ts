import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { pidsOf } from "#bench/processes.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import type { TemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { signalled } from "./world.ts";

/**
 * A fault of a database. `cause` settles when it is over and nothing of it is left or, in a failover, as soon as it has happened: `mutant`
 * then repairs everything, once the service has recovered.
 */
export type Trouble<Server = TemporaryPostgres> = {
  name: string;
  cause(server: Server, url: string): Promise<void>;
  mutant?(server: Server): Promise<void>;
};

const AWAY_MS = 2_000;
const HELD_MS = 5_000;
const MORE_THAN_ALL = 400;

export const TROUBLES: readonly Trouble[] = [
  { name: "sessions ended", cause: ({ superuserUrl }) => endSessions(superuserUrl) },
  { name: "a backend killed", cause: killBackend },
  { name: "the postmaster killed", cause: (server) => endServer(server, "SIGKILL") },
  { name: "stopped at once", cause: (server) => endServer(server, "SIGQUIT") },
  { name: "no connection left", cause: (_, url) => takeConnections(url) },
  { name: "a table locked by somebody idle", cause: ({ superuserUrl }, url) => lockTable(superuserUrl, url) },
];

/** Repeatedly for a while, so that it also hits clients that reconnect. */
async function endSessions(superuserUrl: string): Promise<void> {
  await withConnection(superuserUrl, async (sql) => {
    for (let time = 0; time < 10; time += 1) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`;
      await sleep(AWAY_MS / 10);
    }
  });
}

/** The kernel does so when memory runs out: the server throws everybody out and recovers. */
async function killBackend({ postmaster, superuserUrl }: TemporaryPostgres): Promise<void> {
  const [main, ours] = [postmaster(), pidsOf("PostgreSQL")];
  const busy = await withConnection(
    superuserUrl,
    (sql) => sql<{ pid: number }[]>`select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  const victim = busy.find(({ pid }) => pid !== main && ours.includes(pid));
  if (victim === undefined) throw new Error("there was no backend to kill");
  signalled(victim.pid, "SIGKILL");
  await untilItAnswers(superuserUrl);
}

/** SIGINT: in good order, without waiting for anyone. */
export async function endServer(
  { postmaster, ended, startAgain }: Pick<TemporaryPostgres, "postmaster" | "ended" | "startAgain">,
  signal: "SIGKILL" | "SIGQUIT" | "SIGINT",
): Promise<void> {
  const main = postmaster();
  if (!pidsOf("PostgreSQL").includes(main)) throw new Error(`${main} is no process of ours`);
  signalled(main, signal);
  await ended();
  await sleep(AWAY_MS);
  await startAgain();
}

async function untilItAnswers(url: string): Promise<void> {
  for (const until = performance.now() + 60_000; performance.now() < until; await sleep(50)) {
    const answers = await withConnection(url, (sql) => sql`select 1`).then(
      () => true,
      () => false,
    );
    if (answers) return;
  }
  throw new Error("the database did not come back");
}

/** As many sessions as possible, held for a while: no other client gets a new one. */
async function takeConnections(url: string): Promise<void> {
  const crowd = postgres(url, { max: MORE_THAN_ALL, connect_timeout: 5, onnotice: () => {}, backoff: () => 1 });
  const held = Array.from({ length: MORE_THAN_ALL }, () => crowd`select pg_sleep(${HELD_MS / 1_000})`.catch(() => {}));
  await Promise.race([Promise.all(held), sleep(HELD_MS + AWAY_MS)]);
  await crowd.end({ timeout: 0 });
}

async function lockTable(superuserUrl: string, url: string): Promise<void> {
  const own = new URL(superuserUrl);
  own.pathname = new URL(url).pathname;
  await withConnection(own.href, (sql) =>
    sql.begin(async (tx) => {
      await tx`set local lock_timeout = '20s'`;
      await tx`lock table settlements in access exclusive mode`;
      await sleep(HELD_MS);
    }),
  );
}
