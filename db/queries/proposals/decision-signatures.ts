import { and, asc, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { decisionSignatures, passkeyKeys } from "#db/schema/decision-signatures.ts";
import { users } from "#db/schema/people.ts";

export type SignatureRecord = typeof decisionSignatures.$inferSelect;
/** `key`: as the register has it; null: not registered for that person, or a partner's. */
export type KeptSignature = SignatureRecord & { key: { publicKey: string; registeredAt: Date } | null };

export async function insertSignature(db: Database, signature: SignatureRecord): Promise<void> {
  await db.insert(decisionSignatures).values(signature);
}

/** Since when that passkey is registered for the person; null: it is not. */
export async function findKeyAge(db: Database, { userId, credentialId }: { userId: string; credentialId: string }): Promise<Date | null> {
  const [row] = await db
    .select({ registeredAt: passkeyKeys.registeredAt })
    .from(passkeyKeys)
    .where(and(eq(passkeyKeys.credentialId, credentialId), eq(passkeyKeys.userId, userId)));
  return row?.registeredAt ?? null;
}

/** The keys of the operator's people, by person and age. */
export async function listOperatorKeys(db: Database) {
  const { userId, publicKey, name, registeredAt } = passkeyKeys;
  return await db
    .select({ userId, publicKey, name, registeredAt, email: users.email })
    .from(passkeyKeys)
    .innerJoin(users, and(eq(users.id, userId), isNull(users.partnerId)))
    .orderBy(users.email, registeredAt);
}

/** A key of the register, as {@link KeptSignature} has it. */
export const KEY = { publicKey: passkeyKeys.publicKey, registeredAt: passkeyKeys.registeredAt };
/** Which key of the register a signature names. A partner's people register passkeys, too, and sign no decision of the operator's. */
export const KEY_OF_ITS_PERSON = and(
  eq(passkeyKeys.credentialId, decisionSignatures.credentialId),
  eq(passkeyKeys.userId, decisionSignatures.userId),
  sql`exists (select from users u where u.id = ${decisionSignatures.userId} and u.partner_id is null)`,
);

/** Every signature of approvals of these settlements or batches, with its key. */
export async function listApprovalSignatures(db: Database, objectIds: readonly string[]): Promise<KeptSignature[]> {
  const rows = await db
    .select({ signature: decisionSignatures, key: KEY })
    .from(decisionSignatures)
    .leftJoin(passkeyKeys, KEY_OF_ITS_PERSON)
    .where(sql`${decisionSignatures.objectId} in (select jsonb_array_elements_text(${JSON.stringify(objectIds)}::jsonb))
      and ${decisionSignatures.action} in ('settlement.approve', 'settlements.approve', 'batch.approve')`);
  return rows.map(({ signature, key }) => ({ ...signature, key }));
}

/** `isDecided`: whether that person's decision on that object is stored as well. */
export type AuditedSignature = KeptSignature & { isDecided: boolean };

const IS_DECIDED = sql<boolean>`case replace(${decisionSignatures.action}, 'settlements.', 'settlement.')
  when 'settlement.approve' then exists (select from settlement_approvals a where a.settlement_id = ${decisionSignatures.objectId}
    and a.decider_type = 'user' and a.decider_id = ${decisionSignatures.userId})
  when 'batch.approve' then exists (select from settlements s join settlement_approvals a on a.settlement_id = s.id
    where s.batch_id = ${decisionSignatures.objectId} and a.decider_type = 'user' and a.decider_id = ${decisionSignatures.userId})
  when 'payment.above_cap' then exists (select from transfers t where t.id = ${decisionSignatures.objectId})
  when 'treasury.withdraw' then exists (select from treasury_withdrawals w where w.id = ${decisionSignatures.objectId})
  else exists (select from proposals p where p.id = ${decisionSignatures.objectId} and p.outcome = 'carried_out'
    and p.decider_type = 'user' and p.decider_id = ${decisionSignatures.userId}) end`;

/** A page of all signatures, in the order in which they were given. `since`: only those from then on. */
export async function listSignatures(
  db: Database,
  { after, since, limit }: { after: SignatureRecord | null; since: Date | null; limit: number },
): Promise<AuditedSignature[]> {
  const { id, signedAt } = decisionSignatures;
  const rows = await db
    .select({ signature: decisionSignatures, key: KEY, isDecided: IS_DECIDED })
    .from(decisionSignatures)
    .leftJoin(passkeyKeys, KEY_OF_ITS_PERSON)
    .where(
      and(
        after === null ? undefined : or(gt(signedAt, after.signedAt), and(eq(signedAt, after.signedAt), gt(id, after.id))),
        since === null ? undefined : sql`${signedAt} >= ${since.toISOString()}::timestamptz`,
      ),
    )
    .orderBy(asc(signedAt), asc(id))
    .limit(limit);
  return rows.map(({ signature, key, isDecided }) => ({ ...signature, key, isDecided }));
}
