import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { decisionSignatures, passkeyKeys } from "#db/schema/decision-signatures.ts";
import type { SignedAction } from "#domain/signed-decision.ts";
import { KEY, KEY_OF_ITS_PERSON, type KeptSignature } from "./decision-signatures.ts";

/** A signature of a payment that the signer demands of people, and what its person is at this moment. */
export type PersonSignature = KeptSignature & {
  /** Whether the person still has the passkey. */
  isCurrent: boolean;
  /** Whether the person is an admin of the operator's who may sign in. */
  isAdmin: boolean;
  /** Whether somebody else has confirmed the person's devices. */
  isConfirmed: boolean;
  /** Whether the person has asked for the payment. */
  isAsker: boolean;
};

const USER = decisionSignatures.userId;

/** Every signature of the action over these objects, with its key, in the order in which they were given. */
export async function listPeoplesSignatures(db: Database, action: SignedAction, objectIds: readonly string[]): Promise<PersonSignature[]> {
  const rows = await db
    .select({
      signature: decisionSignatures,
      key: KEY,
      isCurrent: sql<boolean>`keeps_passkey(${USER}, ${decisionSignatures.credentialId})`,
      isAdmin: sql<boolean>`exists (select from users u where u.id = ${USER} and u.role = 'admin' and u.partner_id is null and u.disabled_at is null)`,
      isConfirmed: sql<boolean>`exists (select from users u where u.id = ${USER} and u.device_confirmed_at is not null)`,
      isAsker: hasAsked(USER, decisionSignatures.objectId),
    })
    .from(decisionSignatures)
    .leftJoin(passkeyKeys, KEY_OF_ITS_PERSON)
    .where(
      and(
        sql`${decisionSignatures.objectId} in (select jsonb_array_elements_text(${JSON.stringify(objectIds)}::jsonb))`,
        eq(decisionSignatures.action, action),
      ),
    )
    .orderBy(decisionSignatures.signedAt, decisionSignatures.id);
  return rows.map(({ signature, key, ...more }) => ({ ...signature, key, ...more }));
}

/** Whether the person, or a key that counts as that person, has asked for the payment of a transfer. */
export async function hasAskedFor(db: Database, { userId, transferId }: { userId: string; transferId: string }): Promise<boolean> {
  const [row] = await db.execute<{ asked: boolean }>(sql`select ${hasAsked(sql`${userId}::uuid`, sql`${transferId}::text`)} as asked`);
  return row?.asked === true;
}

/** By the audit log: who made or confirmed the settlement, its batch or the order, or proposed the treasury withdrawal. */
function hasAsked(userId: SQLWrapper, transferId: SQLWrapper) {
  return sql<boolean>`exists (select from transfers t
    left join settlements s on t.purpose = 'settlement' and s.id = t.owner_id
    join audit_entries e on e.object_id in (t.owner_id, s.batch_id)
    where t.id = ${transferId} and e.action in ('settlement.created', 'settlement.confirmed', 'batch.created', 'batch.confirmed', 'topup.requested', 'withdrawal.requested', 'treasury.withdrawal_proposed')
      and (e.actor_id = (${userId})::text
        or exists (select from api_keys k where k.made_by = ${userId} and e.actor_type in ('api_key', 'operator_key') and k.id::text = e.actor_id)))`;
}
