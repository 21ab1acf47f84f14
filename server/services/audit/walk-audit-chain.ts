import type { Database } from "#db/client.ts";
import { clockCanMove, findLastSeal, findSealBefore, listSeals, listStrays } from "#db/queries/audit/audit-seals.ts";
import { listBrokenAnchors } from "#db/queries/audit/audit-verifications.ts";
import { type ChainFlaw, type ChainPosition, judgeSeal, NO_SEAL } from "#domain/audit-seal.ts";

const PAGE = 1_000;

export type ChainWalk = { checked: number; seq: number; hash: string; flaws: ChainFlaw[] };

/**
 * Computes the chain over the audit log anew, batch by batch, and says where it does not hold: what was altered, removed, or inserted
 * past the service. Flaws are in the order of the chain, those outside of it last. `fromId`: only entries with such an id or a later one.
 */
export async function walkAuditChain(db: Database, fromId = ""): Promise<ChainWalk> {
  const start = fromId === "" ? null : await findSealBefore(db, fromId);
  const head = (await findLastSeal(db)) ?? NO_SEAL;
  const datesHold = !(await clockCanMove(db));
  const flaws: ChainFlaw[] = [];
  let checked = 0;
  let position: ChainPosition = { ...(start ?? NO_SEAL), completeAt: start?.completeAt ?? null };
  for (let more = position.seq < head.seq; more; ) {
    const page = await listSeals(db, { after: position.seq, upTo: head.seq, limit: PAGE });
    for (const { seal, entry } of page) {
      const judged = judgeSeal(position, seal, entry, datesHold);
      flaws.push(...judged.flaws);
      position = judged.after;
    }
    checked += page.length;
    more = page.length === PAGE;
  }
  const outside = [...(await listBrokenAnchors(db)), ...(await listStrays(db, fromId))];
  return { checked, seq: position.seq, hash: position.hash, flaws: [...flaws, ...outside] };
}
