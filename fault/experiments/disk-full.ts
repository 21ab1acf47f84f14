import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Experiment } from "#fault/experiment.ts";
import { must, rule } from "#fault/outcome.ts";
import { throughTroubles } from "#fault/through-troubles.ts";
import type { Trouble } from "#fault/troubles.ts";
import { inWorld, type World } from "#fault/world.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import { startTemporaryPostgres, type TemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { benchServerOn } from "#testing/stage/database.ts";

const DISK_MB = 320;
/**
 * Only little of the disk is reserved for the write-ahead log, so that something is left to fill. PostgreSQL must not restart itself: it
 * may find space enough for its log and none for new connections. So it exits, as it does under a supervisor.
 */
const SETTINGS = { max_wal_size: "64MB", min_wal_size: "32MB", restart_after_crash: "off" };
const FULL_MS = 8_000;
const SLOT = "fault";

export const diskFull: Experiment = {
  name: "disk-full",
  breaks:
    "The disk of PostgreSQL, a small file system of its own, is full to the last byte: tables cannot grow, then the write-ahead log cannot either, and the server stops",
  judged:
    "meanwhile every surface answers 503 with Retry-After, no process dies, and each web process writes within 5 s once there is space and PostgreSQL is up again",
  lacks: () => (mayMount() ? null : "it takes root, who may mount a small file system."),
  async run(scene) {
    const disk = mount();
    try {
      const postgres = await startTemporaryPostgres({ durable: true, below: disk, settings: () => SETTINGS });
      const server = benchServerOn(postgres);
      try {
        return await inWorld({ ...scene, server }, { webs: 2, workers: 2 }, async (world) => {
          const ends: boolean[] = [];
          const felt: number[] = [];
          const observed = (trouble: Trouble): Trouble => ({
            ...trouble,
            async cause(...args) {
              const laterBefore = laterIn(world);
              await trouble.cause(...args);
              felt.push(laterIn(world) - laterBefore);
            },
          });
          const rounds = scene.pick(3, 1);
          const troubles = [fill("the disk is full", disk, ends, false), fill("no room for what is written ahead", disk, ends, true)];
          const judge = () => [
            rule("each_fault_had_effect", "while the disk is full, some request gets 503", felt, (later) =>
              later > 0 ? [] : ["no request did"],
            ),
            must(
              "database_stopped",
              "PostgreSQL stopped each time that it could not write its log ahead",
              ends.length >= rounds,
              `${ends.length} times`,
            ),
          ];
          const plan = { server: postgres, troubles: troubles.map(observed), rounds, judge };
          const run = await throughTroubles(world, scene, plan);
          return { ...run, counts: `${run.counts}; PostgreSQL ended of it ${ends.length} times` };
        });
      } finally {
        await server.stop();
      }
    } finally {
      unmount(disk);
    }
  },
};

const laterIn = ({ history }: World) => history.answers.filter(({ status }) => status === 503).length;

/**
 * Fills it for a while; `ahead`: until the write-ahead log cannot grow, which ends the server. Then there is space again. By default
 * PostgreSQL would recycle old log files, and might continue for ever: a replication slot without a replica prevents that.
 */
function fill(name: string, disk: string, ends: boolean[], ahead: boolean): Trouble {
  const filler = join(disk, "filler");
  const cause = async (postgres: TemporaryPostgres) => {
    const ended = postgres.ended().then(() => true);
    if (ahead) await withConnection(postgres.superuserUrl, (sql) => sql`select pg_create_physical_replication_slot(${SLOT}, true)`);
    for (const until = performance.now() + FULL_MS; performance.now() < until; await sleep(100)) {
      stuff(filler, disk);
      if (ahead) await switchLog(postgres.superuserUrl);
      if (await Promise.race([ended, sleep(0).then(() => false)])) break;
    }
    const isOver = await Promise.race([ended, sleep(500).then(() => false)]);
    rmSync(filler, { force: true });
    if (isOver) {
      ends.push(true);
      await postgres.startAgain();
    }
    if (ahead) await withConnection(postgres.superuserUrl, (sql) => sql`select pg_drop_replication_slot(${SLOT})`);
  };
  return { name, cause };
}

/** Takes all that is free, what the server gave back included. */
function stuff(filler: string, disk: string): void {
  const { bavail, bsize } = statfsSync(disk);
  const free = bavail * bsize;
  if (free === 0) return;
  try {
    writeFileSync(filler, Buffer.alloc(free), { flag: "a" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}

async function switchLog(url: string): Promise<void> {
  await withConnection(url, (sql) => sql`select pg_logical_emit_message(false, 'fault', repeat('x', 1000000)), pg_switch_wal()`).catch(
    () => {}, // it may be away by now
  );
}

function mount(): string {
  const folder = mkdtempSync(join(tmpdir(), "settlement-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=0711`, "settlement-fault", folder], { stdio: "pipe" });
    return folder;
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
}

function unmount(folder: string): void {
  execFileSync("umount", [folder], { stdio: "pipe" });
  rmdirSync(folder);
}

function mayMount(): boolean {
  try {
    unmount(mount());
    return true;
  } catch {
    return false;
  }
}
