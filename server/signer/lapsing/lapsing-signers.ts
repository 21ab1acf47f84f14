import type { JournalReading } from "#domain/journal.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { LapsingKey, LapsingSigners } from "#domain/lapsing-signer.ts";
import type { OwnWallet } from "#domain/signer.ts";
import { Rejected } from "#server/ports.ts";
import type { Desk } from "#server/signer/desk.ts";
import { admitLapsing } from "./admit-lapsing.ts";
import { signLapsing } from "./sign-lapsing.ts";

/** The part of a signer that signs for chains whose payments lapse. It has one journal and one seal with the other part. */
export function lapsingSigners(desk: Desk, read: () => Promise<JournalReading>): LapsingSigners {
  const readState = async () => (await read()).state;
  return {
    of: (chain) => desk.lapsingKeys.of(chain).map(walletOf),
    sign: (order) => signLapsing(desk, chainOf(desk, order.chain), readState, order),
    admit: async (order) => await admitLapsing(desk, chainOf(desk, order.chain), await readState(), order),
    async readJournal(chain) {
      const { records, durable, state } = await read();
      const found = await desk.sentBefore.judge(desk, chainOf(desk, chain), readState);
      const lacks = found?.unknown ? { id: found.unknown.at(-1) ?? "", reason: found.reason } : null;
      return { records, durable, newest: state.lapsing.newest(chain), ...(lacks && { lacks }) };
    },
  };
}

function chainOf({ ctx: { lapsing } }: Desk, chain: string): LapsingChain {
  const found = lapsing.find(chain);
  if (found === null) throw new Rejected(`the signer does not know the chain ${chain}`);
  return found;
}

function walletOf(key: LapsingKey): OwnWallet {
  const { kind, check } = key;
  return { kind, signsSafes: false, address: () => key.address(), ...(check === undefined ? {} : { check: () => check.call(key) }) };
}
