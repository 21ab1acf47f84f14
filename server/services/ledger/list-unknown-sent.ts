import type { LapsingChain, SentPayment, SentQuery } from "#domain/lapsing-chain.ts";
import type { LapsingJournal } from "#domain/lapsing-journal.ts";
import { listAnswering, orSilent } from "./ask-lapsing-nodes.ts";

/** The clocks of machine and chain differ by less, and what was signed last is in a block by then. */
const MARGIN_MS = 15 * 60_000;

/**
 * From when on a wallet may have paid what the journal does not have. A journal that was put back has everything up to its last line.
 *
 * @param begunAt when the journal was begun
 */
export function sentSince(journal: LapsingJournal, chain: string, begunAt: Date): Date {
  return new Date((journal.newestAt(chain) ?? begunAt).getTime() - MARGIN_MS);
}

/** A payment of one of the wallets that is not known. */
export type UnknownSent = SentPayment & { wallet: string };

/**
 * What wallets have paid on a chain since a time and is not known, by every node that answers: what one of them shows counts. The oldest
 * first. `nodes`: how many have shown all of it.
 */
export async function listUnknownSent(
  chain: LapsingChain,
  { wallets, ...rest }: Omit<SentQuery, "wallet"> & { wallets: readonly string[] },
): Promise<{ sent: UnknownSent[]; nodes: number }> {
  const answers = await Promise.all(
    (await listAnswering(chain)).map(async (node) => {
      const shown = await Promise.all(
        wallets.map(async (wallet) => {
          const sent = await orSilent(node.listSent({ ...rest, wallet }));
          return sent?.map((one) => ({ ...one, wallet })) ?? null;
        }),
      );
      return shown.some((sent) => sent === null) ? null : shown.flatMap((sent) => sent ?? []);
    }),
  );
  const shown = answers.filter((answer) => answer !== null);
  const byId = new Map(shown.flat().map((one) => [one.id, one]));
  return { sent: [...byId.values()].toSorted((one, other) => one.height - other.height), nodes: shown.length };
}
