import { readClockOffset } from "#db/queries/maintenance/clock.ts";
import { findLapsingAttempt, hasLapsingAttemptThatMayPay } from "#db/queries/transfers/lapsing-attempts.ts";
import { canonicalOf, type LapsingChain, type LapsingNode } from "#domain/lapsing-chain.ts";
import type { LapsingEnd, LapsingTokenMove } from "#domain/lapsing-report.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { Rejected } from "#server/ports.ts";
import { asking, BLOCK_SLACK_MS, type FoundPayment } from "./find-payment.ts";

/** Hexadecimal ids have one spelling; those in base 58 differ by upper and lower case. */
const HEXADECIMAL = /^(0x)?[0-9a-f]{64}$/i;
/** Of a transaction of which nothing is known but its id. */
const ONLY_ID = { after: 0, expiry: { by: "height", last: 0 }, bytes: "" } as const;

/**
 * As `findPayment`, on a chain whose payments lapse: every node must show the named transaction in the same final block, no older than the transfer, and in
 * it a move of exactly this amount of this token to this recipient. Nothing that was signed for the transfer may pay it any more.
 *
 * @throws Refusal `invalid_state`, `temporarily_unavailable` while a node does not answer
 */
export async function findLapsingPayment(
  { db }: Uses<"db">,
  chain: LapsingChain,
  transfer: Transfer,
  txHash: string,
): Promise<FoundPayment> {
  const id = HEXADECIMAL.test(txHash) ? txHash.toLowerCase() : txHash;
  const other = await findLapsingAttempt(db, id);
  if (other !== null && other.transferId !== transfer.id) throw invalid("That transaction made another transfer's payment.");
  if (await hasLapsingAttemptThatMayPay(db, transfer.id))
    throw invalid("A signed payment of it is on the chain, or may still get there: wait until it has ended.");
  const ends = await Promise.all(chain.nodes.map((node) => asking(() => readEnd(chain, node, id))));
  const [first] = ends;
  if (first === undefined) throw new Error(`${chain.chain} has no node`);
  if (ends.some(({ blockHash }) => blockHash !== first.blockHash)) throw invalid("The nodes show that transaction in different blocks.");
  const moves = ends.map(({ moves: all }) => all.find((move) => isOwed(chain, transfer, move)));
  const [move] = moves;
  if (move === undefined || moves.includes(undefined)) throw invalid("Not every node shows the payment in that transaction.");
  const notBefore = transfer.createdAt.getTime() - (await readClockOffset(db)).offsetMs - BLOCK_SLACK_MS;
  if (first.at.getTime() < notBefore) throw invalid("That transaction is older than the transfer, so it paid something else.");
  const native = chain.tokens.find(({ address }) => address === first.fee.token);
  if (native === undefined) throw invalid("Its fee was paid in a token that is not configured.");
  const { height: blockHeight, blockHash, fee, at: blockAt } = first;
  const receipt = { hash: id, blockHash, blockHeight, gasUsed: 0n, feeBase: fee.amountBase, sender: move.sender };
  // The whole transaction proves it: what else it moved proves nothing.
  return { chain: { chain: chain.chain, native }, receipt, blockAt, places: [null] };
}

async function readEnd({ identity }: LapsingChain, node: LapsingNode, id: string): Promise<LapsingEnd & { at: Date }> {
  if ((await node.identity()) !== identity) throw invalid(`${node.name} is a node of another chain.`);
  const report = await node.find({ id, ...ONLY_ID }).catch(asUnknown);
  if (report?.kind !== "final" || report.outcome !== "paid" || report.at === undefined)
    throw invalid(`${node.name} shows no final and successful transaction with that hash.`);
  return { ...report, at: report.at };
}

/** The text is no hash of this family. */
function asUnknown(error: unknown): null {
  if (error instanceof Rejected) return null;
  throw error;
}

function isOwed(chain: LapsingChain, { tokenAddress, recipient, amountBase }: Transfer, move: LapsingTokenMove): boolean {
  const token = tokenAddress === null ? null : canonicalOf(chain, tokenAddress);
  return move.token === token && move.amountBase === amountBase && move.recipient === canonicalOf(chain, recipient);
}

const invalid = (detail: string) => new Refusal("invalid_state", { detail });
