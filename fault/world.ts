import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { pidsOf } from "#bench/processes.ts";
import { onStage, type Stage } from "#bench/stage.ts";
import { openReceiver, type Receiver } from "#sandbox/client/receiver.ts";
import { findFreePort } from "#sandbox/free-port.ts";
import type { Family } from "#sandbox/settings.ts";
import { createSupervisor } from "#server/process/supervisor.ts";
import type { TestChain } from "#testing/chain.ts";
import { signInByForm } from "#testing/company.ts";
import type { FamilyNetwork } from "#testing/networks/network.ts";
import { startNetwork } from "#testing/networks/start.ts";
import type { BenchDatabase } from "#testing/stage/database.ts";
import { type Altered, alterSource } from "./altered.ts";
import type { Owed, QueryBoundary } from "./checker.ts";
import type { Scene } from "./experiment.ts";

/** The whole running service: web processes and workers and their signer under the real supervisor, with a real database and chain. */
export type World = {
  stage: Stage;
  database: BenchDatabase;
  /** Where workers and signers may be asked to die; null: not on the EVM chain. */
  altered: Altered | null;
  /** The URLs of the web processes. */
  webs: string[];
  /** The clients' requests and answers, recorded as they happen. */
  history: { answers: QueryBoundary[]; owed: Owed[] };
  /** Where callbacks go if nobody says otherwise. It acknowledges each. */
  receiver: Receiver;
};

export type Kind = "web" | "worker" | "signer";
export type Shape = {
  webs?: number;
  workers?: number;
  wallets?: number;
  rpcUrlsOf?: (chain: TestChain) => Promise<readonly string[]>;
  /** Settings of the service besides the usual ones. */
  env?: Readonly<Record<string, string>>;
  /** Payments are made on a network of this family instead of the EVM chain. */
  family?: Family | null;
  /** The URLs by which the service reaches that network; default: its own nodes. */
  networkUrlsOf?: (network: FamilyNetwork) => Promise<readonly string[]>;
};

/** Where payments are made, as the table says it. */
export const onNetwork = (family: Family | null) =>
  family === null
    ? ""
    : `, on a local network of ${family[0]?.toUpperCase()}${family.slice(1)}${family === "tron" ? " (a double)" : ""} with two nodes`;

/** Builds a separate world, and removes it again whatever happens. */
export async function inWorld<T>(scene: Scene, shape: Shape, work: (world: World) => Promise<T>): Promise<T> {
  return await scene.server.withDatabase((database) => inWorldOf(scene, database, shape, work));
}

/** The same with somebody else's database. */
export async function inWorldOf<T>(scene: Scene, database: BenchDatabase, shape: Shape, work: (world: World) => Promise<T>): Promise<T> {
  const { webs = 2, workers = 2, wallets = 2, rpcUrlsOf, family = null, networkUrlsOf } = shape;
  const own = family === null ? null : await startNetwork(family);
  const altered = own === null ? null : alterSource(scene.taken);
  const env = { ...shape.env, ...altered?.env };
  const living = async (stage: Stage) => {
    const supervisor = createSupervisor(() => {});
    const receiver = await openReceiver();
    try {
      const ports: number[] = [];
      for (let each = 0; each < webs; each += 1) ports.push(await findFreePort());
      const worker = await stage.workerPart(wallets, env);
      if (workers > 0) await supervisor.run(stage.signerPart(wallets, env));
      await supervisor.run(...ports.map((port) => stage.webPart(port, env)), ...Array.from({ length: workers }, () => worker));
      const urls = ports.map((port) => `http://127.0.0.1:${port}`);
      const world = { stage, database, altered, webs: urls, history: { answers: [], owed: [] }, receiver };
      scene.say(`${webs} web processes and ${workers} workers are ready`);
      const done = await work(world);
      if (scene.packing) scene.note(await packedIn(database));
      return done;
    } catch (error) {
      const halts = await database.sql`select cause, detail from lane_halts where lifted_at is null`.catch(() => []);
      for (const { cause, detail } of halts) scene.say(`it is halted (${cause}): ${detail}`);
      throw error;
    } finally {
      await supervisor.stop();
      keepLogs(scene, stage);
      await receiver.close();
    }
  };
  try {
    const network = own === null ? undefined : { ...own, urls: (await networkUrlsOf?.(own)) ?? own.urls };
    return await onStage(database, living, { packing: scene.packing, network, ...(rpcUrlsOf && { rpcUrlsOf }) });
  } finally {
    await own?.stop();
    altered?.stop();
  }
}

/** How many payments were packed in a database, and how they ended. */
export async function packedIn({ sql }: Pick<BenchDatabase, "sql">): Promise<string> {
  const [row] = await sql<{ packs: number; members: number; paid: number }[]>`
    select count(distinct pack_id)::int as packs, count(*)::int as members, count(*) filter (where outcome = 'paid')::int as paid from pack_members`;
  return `${row?.members} payments in ${row?.packs} packed transactions, which paid ${row?.paid} of them`;
}

/** The output of the processes of an experiment's last run, for debugging. */
const KEPT = fileURLToPath(new URL("../.data/fault/", import.meta.url));

function keepLogs({ name }: Scene, { logs }: Stage): void {
  mkdirSync(join(KEPT, name), { recursive: true });
  for (const log of Object.values(logs)) if (existsSync(log)) copyFileSync(log, join(KEPT, name, basename(log)));
}

/** Kills a process of one kind, like the kernel's out-of-memory killer; returns false when none is alive right now. `spared`: not these. */
export function killOne(kind: Kind, scene: Scene, spared: ReadonlySet<number> = new Set()): boolean {
  const pids = pidsOf(kind).filter((pid) => !spared.has(pid));
  if (pids.length === 0) return false;
  return signalled(scene.random.pick(pids), "SIGKILL");
}

/** Only our own processes: one that has ended meanwhile is no error. */
export function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Polls until it is true; returns how long that took, or null if it never was. */
export async function timeUntil(isSo: () => Promise<boolean>, limitMs: number, everyMs = 50): Promise<number | null> {
  for (const began = performance.now(); ; await sleep(everyMs)) {
    if (await isSo().catch(() => false)) return performance.now() - began;
    if (performance.now() - began > limitMs) return null;
  }
}

/** The cookies of the approver, who has signed in at the console. */
export async function signedIn({ stage, webs }: World): Promise<string> {
  return await signInByForm(webs[0] ?? "", stage.person);
}
