import { desc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { type AuditFlaw, auditVerifications } from "#db/schema/audit-verifications.ts";
import { users } from "#db/schema/users.ts";
import type { ChainFlaw } from "#domain/audit-seal.ts";

export type Verification = {
  id: string;
  /** Business time. */
  at: Date;
  userId: string | null;
  seq: number;
  hash: string;
  durationMs: number;
  flaws: number;
  named: AuditFlaw[];
};

export async function insertVerification(db: Database, verification: Verification): Promise<void> {
  await db.insert(auditVerifications).values(verification);
}

/** The newest one, and the name of who asked for it. */
export async function findLastVerification(db: Database): Promise<(Verification & { by: string | null }) | null> {
  const [row] = await db
    .select({ verification: auditVerifications, by: users.name })
    .from(auditVerifications)
    .leftJoin(users, eq(users.id, auditVerifications.userId))
    .orderBy(desc(auditVerifications.id))
    .limit(1);
  return row ? { ...row.verification, by: row.by } : null;
}

/** Where the chain once ended and does not pass any more: it was shortened, or written anew. */
export async function listBrokenAnchors(db: Database): Promise<ChainFlaw[]> {
  const rows = await db.execute<{ seq: string; at: string; gone: boolean }>(sql`
    select v.seq::text, to_char(min(v.at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"') as at, bool_or(s.hash is null) as gone
    from audit_verifications v left join audit_seals s on s.seq = v.seq
    where v.seq > 0 and s.hash is distinct from v.hash group by v.seq order by v.seq limit 20`);
  return rows.map(({ seq, at, gone }) => ({
    seq: Number(seq),
    entryId: null,
    flaw: gone ? `The chain reached this seal at ${at}, and now ends before it.` : `The seal is another than at ${at}.`,
  }));
}
