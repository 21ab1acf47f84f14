import { setTimeout as sleep } from "node:timers/promises";
import { pidsOf } from "#bench/processes.ts";
import type { Scene } from "#fault/experiment.ts";
import { endServer } from "#fault/troubles.ts";
import { type Kind, killOne, signalled, type World } from "#fault/world.ts";
import type { TemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { MOODS, type Partner } from "./partners.ts";

/** Below the confirmations, as chains have them. */
const MOST_DEPTH = 2;
/** Of the world's chain. */
const BLOCK_SECONDS = 1;
const SPELL = { leastMs: 2_000, mostMs: 20_000 };

/** These live to the end: their memory shows what grows. */
export type Elders = { web: number; worker: number };

type Plan = {
  postgres: TemporaryPostgres;
  partners: readonly Partner[];
  elders: Elders;
  /** One such pause lies between two troubles, on the average. */
  everyMs: number;
  /** Whether the signer may still die; later its memory is watched, too. */
  signerDies(): boolean;
};

/** Breaks one thing after the other, chosen by the seed. `stop` settles when nothing is broken any more. */
export function openTroubles(world: World, scene: Scene, { postgres, partners, elders, everyMs, signerDies }: Plan) {
  const { random } = scene;
  const spared = new Set([elders.web, elders.worker]);
  const counts = new Map<string, number>();
  const moody = partners.filter(({ isMoody }) => isMoody);
  const spells = new Set<Promise<void>>();
  const stopping = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});

  const restart = (kind: "web" | "worker") => {
    const others = pidsOf(kind).filter((pid) => !spared.has(pid));
    return others.length > 0 && signalled(random.pick(others), "SIGTERM");
  };
  const kill = (kind: Kind) => killOne(kind, scene, spared);
  const spell = () => {
    const partner = random.pick(moody);
    const [mood, ms] = [random.pick(MOODS), SPELL.leastMs + random.below(SPELL.mostMs - SPELL.leastMs)];
    partner.mood = mood;
    const ends = pause(ms).then(() => {
      partner.mood = "good";
      spells.delete(ends);
    });
    spells.add(ends);
    return true;
  };
  const fork = async () => {
    const { chain } = world.stage;
    // If anvil mines while it drops blocks, it may lose one for good, or keep one whose changes it has undone (docs/reliability.md).
    await chain.call("evm_setIntervalMining", 0);
    await sleep(BLOCK_SECONDS * 1_000);
    await chain.call("anvil_reorg", 1 + random.below(MOST_DEPTH), []);
    await chain.call("evm_setIntervalMining", BLOCK_SECONDS);
    return true;
  };
  const end = async (signal: "SIGKILL" | "SIGQUIT" | "SIGINT") => {
    await endServer(postgres, signal);
    return true;
  };
  /** Each as often as it is named. */
  const choices: readonly (readonly [name: string, times: number, cause: () => boolean | Promise<boolean>])[] = [
    ["kills of a web process", 4, () => kill("web")],
    ["kills of a worker", 4, () => kill("worker")],
    ["kills of the signer", 2, () => signerDies() && kill("signer")],
    ["restarts of a web process", 3, () => restart("web")],
    ["restarts of a worker", 3, () => restart("worker")],
    ["bad spells of a receiver", 8, spell],
    ["forks", 6, fork],
    ["restarts of PostgreSQL", 1, () => end("SIGINT")],
    ["immediate stops of PostgreSQL", 1, () => end("SIGQUIT")],
    ["kills of PostgreSQL", 1, () => end("SIGKILL")],
  ];
  const lots = choices.flatMap((choice) => Array.from({ length: choice[1] }, () => choice));
  const working = (async () => {
    for (;;) {
      await pause(everyMs / 2 + random.below(everyMs));
      if (stopping.signal.aborted) return;
      const [name, , cause] = random.pick(lots);
      if (await cause()) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  })();
  // A failure surfaces at the end, even if it happened earlier.
  working.catch(() => {});
  return {
    counts: (): Readonly<Record<string, number>> => Object.fromEntries(counts),
    async stop(): Promise<void> {
      stopping.abort();
      await working;
      await Promise.all(spells);
    },
  };
}
