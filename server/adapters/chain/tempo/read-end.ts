import type { EvmReceipt } from "#domain/evm-chain.ts";
import { tokenMoveIn } from "#domain/evm-intent.ts";
import type { LapsingFee, LapsingTokenMove } from "#domain/lapsing-report.ts";
import { checksumAddress } from "#domain/wallet-address.ts";
import { feeBaseOf, type TempoTerms } from "./payment-bytes.ts";

/** Takes the fee of every transaction, in a token. It is at this address on every network of Tempo. */
export const FEE_MANAGER = "0xfeec000000000000000000000000000000000000";

/** What a transaction moved, and what it cost: the token's event shows both. A failed one has no events, and its fee follows from its gas. */
export function readEnd(
  { logs, sender, gasUsed, feeBase }: EvmReceipt,
  { feeToken }: Pick<TempoTerms, "feeToken">,
): { fee: LapsingFee; moves: LapsingTokenMove[] } {
  const all = logs.flatMap((log, place) => {
    const move = tokenMoveIn(log);
    if (move === null) return [];
    return [{ token: log.address.toLowerCase(), sender: move.from, recipient: move.to, amountBase: move.amountBase, place }];
  });
  const isFee = (move: (typeof all)[number]) =>
    move.recipient.toLowerCase() === FEE_MANAGER && move.sender.toLowerCase() === sender.toLowerCase();
  const taken = all.filter(isFee);
  const price = gasUsed === 0n ? 0n : feeBase / gasUsed;
  const moves = all
    .filter((move) => !isFee(move))
    .map(({ token, amountBase, ...move }) => ({
      token: checksumAddress(token),
      sender: checksumAddress(move.sender),
      recipient: checksumAddress(move.recipient),
      amountBase,
    }));
  const paid = taken.reduce((sum, { amountBase }) => sum + amountBase, 0n);
  return { fee: { token: checksumAddress(feeToken), amountBase: taken.length > 0 ? paid : feeBaseOf(gasUsed, price) }, moves };
}
