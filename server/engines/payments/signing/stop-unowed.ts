import type { Database } from "#db/client.ts";
import { listReportedUnowed } from "#db/queries/halts/scope-halts.ts";
import { lockTransfers, restTransfers } from "#db/queries/transfers/transfers.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";

/** What an unowed payment waits for. */
const REASON = "This payment is not owed: the record that it belongs to is missing or differs.";

/** A payment that the signer refuses, and why. */
type Refused = { transfer: Transfer; kind: string; reason: string };

/**
 * Halts the chain for payments that the signer found nobody to owe: somebody has written into the database what no one has asked for. A payment
 * that an earlier halt named already waits, and halts nothing again: people have seen it. Nor does one that another worker has paid or moved on
 * since this worker claimed it: this worker was frozen, and the signer answered a question about the past.
 *
 * @returns whether the chain was halted just now
 */
export async function haltUnowed({ engine, chain }: Pass, refused: readonly Refused[]): Promise<boolean> {
  const unowed = refused.filter(({ kind }) => kind === "unowed");
  if (unowed.length === 0) return false;
  return await engine.ctx.db.transaction(async (tx) => {
    const moved = await lockMoved(
      tx,
      unowed.map(({ transfer }) => transfer),
    );
    const current = unowed.filter(({ transfer }) => !moved.has(transfer.id));
    const ids = current.map(({ transfer }) => transfer.id);
    await restTransfers(tx, ids, { kind: "review", reason: REASON, restMs: engine.timings.restMs });
    const reported = await listReportedUnowed(tx, ids);
    const fresh = current.filter(({ transfer }) => !reported.has(transfer.id));
    if (fresh.length === 0) return false;
    const found = fresh.map(({ transfer: { id, purpose, ownerId }, reason: fault }) => ({
      transfer_id: id,
      purpose,
      owner_id: ownerId,
      fault,
    }));
    const detail = found.map((one) => `${one.transfer_id} (${one.purpose} of ${one.owner_id}): ${one.fault}`).join(" ");
    await haltScope(tx, { scope: { kind: "chain", key: chain.chain }, cause: "unowed_payment", detail, evidence: { unowed: found } });
    return true;
  });
}

/**
 * Locks these transfers, and answers the ids of those in another state than the one in which they were read: another worker has moved them on. A
 * row that is gone has not been moved on.
 */
export async function lockMoved(tx: Database, read: readonly Pick<Transfer, "id" | "state">[]): Promise<ReadonlySet<string>> {
  const ids = read.map(({ id }) => id);
  const states = new Map((await lockTransfers(tx, ids)).map(({ id, state }) => [id, state]));
  return new Set(read.filter(({ id, state }) => (states.get(id) ?? state) !== state).map(({ id }) => id));
}
