import { findCursorDownFrom } from "#db/queries/transfers/chain-cursors.ts";
import { listOrphanedNonces } from "#db/queries/transfers/orphaned-nonces.ts";
import { listSupersededPlaces } from "#db/queries/transfers/signing-journal.ts";
import type { AdmitFault, AdmitOrder } from "#domain/signer.ts";
import type { Transfer } from "#domain/transfer.ts";
import { type EvmChain, Rejected, Unreachable } from "#server/ports.ts";
import { type Danger, findDanger } from "#server/services/transfers/find-danger.ts";
import { spentEntry } from "#server/services/transfers/journal-entries.ts";
import type { Desk } from "./desk.ts";

type Place = Parameters<typeof findDanger>[2];

/**
 * An owner that was paid under another nonce is paid again only if every node proves that what was signed under that nonce paid nothing,
 * for good. A member of a packed transaction, only if they prove that it did not pay this member. The signer asks the nodes itself; the database only names what to look up. The journal then says so, too. Answers why not.
 */
export async function payAgain(
  desk: Desk,
  chain: EvmChain,
  { transferId, entry }: AdmitOrder,
  paid: AdmitFault,
): Promise<AdmitFault | null> {
  const { ctx, journal } = desk;
  const superseded = await listSupersededPlaces(ctx.db, transferId);
  const before = superseded.find(
    ({ walletAddress, nonce }) => walletAddress.toLowerCase() === paid.place?.wallet && nonce === paid.place.nonce,
  );
  if (before === undefined) return (await journal.record([entry]))[0] ?? null;
  const member =
    before.transfer.id === transferId ? null : (before.members.find(({ transfer }) => transfer.id === transferId)?.transfer ?? null);
  const danger = await findDangerAnywhere(chain, before, member);
  if (danger !== null) return { ...paid, detail: danger.detail, isDoubt: !(await isContradiction(desk, chain, before, danger)) };
  const [unproven = null] = await journal.record([spentEntry(before, member ?? before.transfer, entry.at)]);
  return unproven ?? (await journal.record([entry]))[0] ?? null;
}

/**
 * Whether the database is wrong about the place. While a deep reorg is not read or not handled yet, it is only late: the payment was superseded,
 * and has been made after all.
 */
async function isContradiction({ ctx: { db } }: Desk, chain: EvmChain, { id }: Place, { paidIn }: Danger): Promise<boolean> {
  if (paidIn === null) return false;
  const read = await findCursorDownFrom(db, chain.chain, paidIn.height);
  if (read !== null && read.hash !== paidIn.hash) return false;
  return !(await listOrphanedNonces(db, chain.chain)).some(({ transactionId }) => transactionId === id);
}

async function findDangerAnywhere(chain: EvmChain, place: Place, member: Transfer | null): Promise<Danger | null> {
  for (const node of chain.nodes) {
    try {
      const danger = (await node.chainId()) === chain.chainId ? await findDanger(chain, node, place, member) : SILENT;
      if (danger !== null) return danger;
    } catch (error) {
      if (error instanceof Unreachable || error instanceof Rejected) return SILENT;
      throw error;
    }
  }
  return null;
}

const SILENT: Danger = { detail: "It is paid again once every node of the chain answers.", paidIn: null };
