import type { EvmIntent } from "#domain/evm-intent.ts";
import { journalOwner, type SignedEntry } from "#domain/journal.ts";
import { packedCall, packingFault } from "#domain/packed-transfers.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { EvmChain } from "#server/ports.ts";

type Content = Pick<SignedEntry, "recipient" | "token" | "amountBase" | "members">;
export type DerivedPack = { intent: EvmIntent; content: Content } | { kind: "unowed" | "unsigned"; reason: string };

/** The payments as they are stored, and why nobody owes some of them. */
export type Read = { transfers: ReadonlyMap<string, Transfer>; unowed: ReadonlyMap<string, string> };

/**
 * Derives what a packed transaction does from its payments, one by one: they are plain payments of one token, each owed, each to another
 * recipient. One of them that is not so, and nothing is signed.
 */
export function derivePack(
  { chain, packingContract: contract }: Pick<EvmChain, "chain" | "packingContract">,
  transferIds: readonly string[],
  { transfers, unowed }: Read,
): DerivedPack {
  if (contract === null) return refused("Payments are not packed on this chain.");
  const payments: Transfer[] = [];
  for (const id of transferIds) {
    const transfer = transfers.get(id);
    const fault = transfer?.chain === chain ? unowed.get(id) : "There is no such payment.";
    if (transfer === undefined || fault !== undefined) return { kind: "unowed", reason: `${id}: ${fault}` };
    payments.push(transfer);
  }
  const [token, ...others] = new Set(payments.map(({ tokenAddress }) => tokenAddress?.toLowerCase() ?? null));
  if (token == null || others.length > 0 || payments.some(({ call, sender }) => call !== null || sender !== undefined))
    return refused("They are not payments of one token.");
  const fault = packingFault(payments, { contract, token });
  if (fault !== null) return refused(fault);
  const members = payments.map((payment) => ({
    owner: journalOwner(payment),
    recipient: payment.recipient,
    amountBase: payment.amountBase,
  }));
  const amountBase = members.reduce((sum, member) => sum + member.amountBase, 0n);
  return { intent: packedCall(payments, { contract, token }), content: { recipient: contract, token, amountBase, members } };
}

const refused = (reason: string): DerivedPack => ({ kind: "unsigned", reason });

/** The payments that an order names, in its order. */
export function paymentsOf(of: { transferId: string } | { transferIds: readonly string[] } | { filler: string }): readonly string[] {
  if ("filler" in of) return [];
  return "transferIds" in of ? of.transferIds : [of.transferId];
}
