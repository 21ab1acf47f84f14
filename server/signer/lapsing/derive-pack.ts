import { journalOwner } from "#domain/journal.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import { lapsingPackFault, packIntent } from "#domain/lapsing-pack.ts";
import type { Desk } from "#server/signer/desk.ts";
import { type Derived, derivePayments, type ReadState, type Refused, unowed } from "./derive-payment.ts";

/** A payment by its id, or those of one transaction by theirs. `wallet`: the one that is to pay, whose key is here. */
export type Named = { transferId: string; members?: readonly string[] | undefined; wallet: string };

/**
 * Derives again what is to be signed from what it is owed for, as for any other chain: nothing that the caller says of it counts.
 */
export async function derive(desk: Desk, chain: LapsingChain, readState: ReadState, named: Named): Promise<Derived | Refused> {
  const { transferId, members, wallet } = named;
  if (members !== undefined) return await derivePack(desk, chain, readState, { transferId, members, wallet });
  const derived = await derivePayments(desk, chain, readState, [transferId], wallet);
  if ("outcome" in derived) return derived;
  const [only] = derived;
  return only ?? unowed("There is no such payment.");
}

/**
 * Derives what one transaction does that makes several payments, from each of them: they are plain payments of one token, each owed, each to
 * another recipient. One of them that is not so, and nothing is signed.
 */
async function derivePack(
  desk: Desk,
  chain: LapsingChain,
  readState: ReadState,
  { transferId, members, wallet }: Named & { members: readonly string[] },
): Promise<Derived | Refused> {
  if (chain.packing === undefined) return refused("Payments are not packed on this chain.");
  if (new Set(members).size < members.length) return refused("A payment appears twice.");
  const derived = await derivePayments(desk, chain, readState, members, wallet);
  if ("outcome" in derived) return derived;
  const intents = derived.map(({ intent }) => intent);
  const fault = lapsingPackFault(intents, chain.packing);
  if (fault !== null) return refused(fault);
  return {
    owner: journalOwner({ purpose: "pack", ownerId: transferId }),
    intent: packIntent(intents),
    owedSince: new Date(Math.min(...derived.map(({ owedSince }) => owedSince.getTime()))),
    members: derived.map(({ owner, intent: { recipient, amountBase } }) => ({ owner, recipient, amountBase })),
  };
}

const refused = (reason: string): Refused => ({ outcome: "refused", kind: "unsigned", reason });
