import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { among } from "#db/rows.ts";
import { decisionSignatures, passkeyKeys } from "#db/schema/decision-signatures.ts";
import { paymentHolds } from "#db/schema/payment-checks.ts";
import { proposals } from "#db/schema/proposals.ts";
import type { TransferPurpose } from "#domain/transfer.ts";
import { KEY, KEY_OF_ITS_PERSON, type KeptSignature } from "./decision-signatures.ts";

/** A hold from which people have released a payment. */
export type ReleasedHold = { id: string; purpose: TransferPurpose; ownerId: string };

/** Of payments with these owners. */
export async function listReleasedHolds(db: Database, ownerIds: readonly string[]): Promise<ReleasedHold[]> {
  const { id, purpose, ownerId, outcome } = paymentHolds;
  return await db
    .select({ id, purpose, ownerId })
    .from(paymentHolds)
    .where(and(among(ownerId, ownerIds), eq(outcome, "released")));
}

/** Every signature with which somebody confirmed the release of one of these transfers, with its key. */
export async function listReleaseSignatures(
  db: Database,
  transferIds: readonly string[],
): Promise<(KeptSignature & { transferId: string })[]> {
  const rows = await db
    .select({ signature: decisionSignatures, key: KEY, transferId: proposals.subject })
    .from(proposals)
    .innerJoin(decisionSignatures, and(eq(decisionSignatures.objectId, proposals.id), eq(decisionSignatures.action, "proposal.confirm")))
    .leftJoin(passkeyKeys, KEY_OF_ITS_PERSON)
    .where(and(among(proposals.subject, transferIds), sql`${proposals.kind} = 'payment_release'`));
  return rows.map(({ signature, key, transferId }) => ({ ...signature, key, transferId }));
}
