import type { Database } from "#db/client.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { LapsingSigners } from "#domain/lapsing-signer.ts";
import { openJournal } from "#server/adapters/journal/open-journal.ts";
import { type Log, Unreachable } from "#server/ports.ts";
import { localSigners } from "#server/signer/local-signers.ts";
import { openSeal } from "#server/signer/seal.ts";
import type { Gate } from "./gate.ts";
import { type JournalFile, journalDisk } from "./journal-disk.ts";
import { type LapsingNetwork, TREASURY } from "./lapsing-nodes.ts";
import type { Scheduler } from "./scheduler.ts";
import { dateOf } from "./tables/rows.ts";

/** Every process opens what another one has closed. */
const SEAL = openSeal(() => Buffer.alloc(32, 7));

type World = { net: LapsingNetwork; scheduler: Scheduler; journal: JournalFile };
type Process = { gate: Gate; chain: LapsingChain; db: Database; log: Log };

/** The service's own signer over the one journal, with a key that signs anything. Now and then it does not answer. */
export function lapsingSignersFor(world: World, { gate, chain, db, log }: Process): LapsingSigners {
  const { net, scheduler, journal } = world;
  const clock = { now: () => dateOf(scheduler.now) };
  const only = (name: string) => (name === chain.chain ? chain : null);
  const ctx = { db, log, clock, evm: { list: () => [], find: () => null }, lapsing: { list: () => [chain], find: only } };
  const key = { kind: "sandbox" as const, address: async () => TREASURY, sign: async (bytes: string) => `signed ${bytes}` };
  const disk = journalDisk(
    journal,
    gate,
    () => scheduler.now,
    () => net.random.next(),
  );
  const rest = { keys: { of: () => [] }, lapsingKeys: { of: () => [key] }, seal: SEAL, findUnowed: async () => new Map<string, string>() };
  const { lapsing } = localSigners({ ctx, journal: openJournal(disk, 1), ...rest });
  const step = async (name: string) => {
    const passing = gate.step(name);
    if (passing !== undefined) await passing;
    if (net.random.chance(net.broken.signer)) throw new Unreachable("the signer does not answer");
  };
  return {
    of: (name) => lapsing.of(name),
    readJournal: (name) => lapsing.readJournal(name),
    async sign(order) {
      await step("sign");
      return await lapsing.sign(order);
    },
    async admit(order) {
      await step("admit");
      return await lapsing.admit(order);
    },
  };
}
