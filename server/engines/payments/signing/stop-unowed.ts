import type { Database } from "#db/client.ts";
import { listReportedUnowed } from "#db/queries/halts/scope-halts.ts";
import { restTransfers } from "#db/queries/transfers/transfers.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";

/** What an unowed payment waits for. */
const REASON = "Nobody owes this payment: what it is owed for is missing or says something else.";

/**
 * Compares payments with what they are owed for, in the transaction that would store their signed bytes. Somebody has written into the
 * database what no one has asked for, so the chain is halted in the same transaction. A payment that an earlier halt named already
 * waits, and halts nothing again: people have seen it.
 *
 * @returns the ids of those that must not be signed; `isNew`: the chain was halted, and nothing of the batch may be stored
 */
export async function haltUnowed(
  tx: Database,
  pass: Pass,
  payments: readonly Transfer[],
): Promise<{ ids: ReadonlySet<string>; isNew: boolean }> {
  const { engine, chain } = pass;
  const unowed = await engine.findUnowed(tx, payments, chain);
  const ids = new Set(unowed.keys());
  if (ids.size === 0) return { ids, isNew: false };
  await restTransfers(tx, [...ids], { kind: "review", reason: REASON, restMs: engine.timings.restMs });
  const reported = await listReportedUnowed(tx, [...ids]);
  const fresh = payments.filter(({ id }) => ids.has(id) && !reported.has(id));
  if (fresh.length === 0) return { ids, isNew: false };
  const found = fresh.map(({ id, purpose, ownerId }) => ({ transfer_id: id, purpose, owner_id: ownerId, fault: unowed.get(id) }));
  const detail = found.map((one) => `${one.transfer_id} (${one.purpose} of ${one.owner_id}): ${one.fault}`).join(" ");
  await haltScope(tx, { scope: { kind: "chain", key: chain.chain }, cause: "unowed_payment", detail, evidence: { unowed: found } });
  return { ids, isNew: true };
}
