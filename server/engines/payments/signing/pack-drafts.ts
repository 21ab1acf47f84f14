import { gasLimitFor } from "#domain/evm-fees.ts";
import { packedCall } from "#domain/packed-transfers.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import type { Draft } from "./make-transactions.ts";
import { estimateOf, type Group, groupsOf, mayMove, packTransfer, roomOf, sumOf, usedGas } from "./pack-parts.ts";
import type { Means } from "./plan-payments.ts";

/**
 * Puts payments that were judged alone into packed transactions, where that uses less gas than a transaction each. No payment waits for
 * others: what is not packed, for whatever reason, is paid alone in the same pass. A payment that was signed or packed before is paid alone.
 *
 * @throws Unreachable
 */
export async function packDrafts(pass: Pass, means: Means, drafts: readonly Draft[]): Promise<Draft[]> {
  const packs = new Map<Draft, Draft>();
  for (const group of await groupsOf(pass, drafts)) {
    const pack = await packOf(pass, means, group);
    if (pack !== null) for (const member of group.members) packs.set(member, pack);
  }
  // In the order of the first member of each.
  return [...new Set(drafts.map((draft) => packs.get(draft) ?? draft))];
}

/** The packed transaction of these payments; null: it cannot be made, or is not cheaper. */
async function packOf(pass: Pass, { walletBudget, gas }: Means, { place, members }: Group<Draft>): Promise<Draft | null> {
  const { wallet } = walletBudget;
  const { address } = wallet.row;
  const payments = members.map(({ transfer }) => transfer);
  const [first, last] = [members[0], members.at(-1)];
  if (first === undefined || last === undefined || !(await mayMove(pass, wallet, place, sumOf(payments)))) return null;
  const intent = packedCall(payments, place);
  const estimate = await estimateOf(pass, address, intent);
  if (estimate === null) return null;
  const gasLimit = gasLimitFor(estimate);
  const isCheaper = usedGas(estimate, last.gas) < members.reduce((sum, member) => sum + member.gas, 0n);
  if (gasLimit > roomOf(pass) || !isCheaper) return null;
  const promised = members.reduce((sum, member) => sum + member.gasLimit * member.fees.maxFeePerGas, 0n);
  const more = gasLimit * first.fees.maxFeePerGas - promised;
  if (more > 0n) {
    if (walletBudget.nativeBase < more || (gas.left !== null && gas.left < more)) return null;
    walletBudget.nativeBase -= more;
    if (gas.left !== null) gas.left -= more;
  }
  const transfer = packTransfer(payments, intent, address, place.now);
  return { transfer, intent, gas: estimate, gasLimit, fees: first.fees, members, unpack: async () => members };
}
