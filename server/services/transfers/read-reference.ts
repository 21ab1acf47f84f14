import type { Database } from "#db/client.ts";
import { findPaymentOwners } from "#db/queries/transfers/payment-owners.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import { referenceOf } from "#domain/payment-reference.ts";
import type { Transfer } from "#domain/transfer.ts";

/** What a payment's memo says on this chain, by the database that is read. Worker and signer read it apart. */
export async function readReference(db: Database, chain: Pick<LapsingChain, "memo" | "memoBytes">, transfer: Transfer): Promise<string> {
  if (chain.memo === "id") return transfer.ownerId;
  const owner = (await findPaymentOwners(db, [transfer])).get(transfer.id);
  const partners = owner?.purpose === "settlement" ? owner.settlement.externalTxId : null;
  return referenceOf(chain, { own: transfer.ownerId, partners });
}
