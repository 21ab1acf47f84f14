import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { among, rowOf } from "#db/rows.ts";
import { packMembers } from "#db/schema/pack-members.ts";
import { transfers } from "#db/schema/transfers.ts";
import type { MemberOutcome } from "#domain/packed-transfers.ts";
import type { Transfer } from "#domain/transfer.ts";
import { toTransfer } from "./transfers.ts";

/** A payment of a packed transaction. `outcome` null: that is under way. `logIndex`: where it was paid. */
export type Member = { packId: string; outcome: MemberOutcome | null; logIndex: number | null; transfer: Transfer };

/**
 * Stores a packed transaction of these queued payments, in their order. Our roles may not write the rows: a function of the database does, and
 * refuses a payment that was packed before.
 */
export async function owePack(tx: Database, pack: Transfer, members: readonly string[]): Promise<Transfer> {
  const call = JSON.stringify({ to: pack.call?.to, data: pack.call?.data, sender: pack.call?.sender });
  const rows = await tx.execute(sql`
    select * from owe_pack(${pack.id}, ${call}::text::jsonb, ${JSON.stringify(members)}::text::jsonb)`);
  const [stored] = rows;
  if (stored === undefined) throw new Error(`${pack.id} was not stored`);
  return toTransfer(rowOf(transfers, stored));
}

/** The payments of packed transactions, each in its order. */
export async function listMembers(db: Database, packIds: readonly string[]): Promise<Member[]> {
  if (packIds.length === 0) return [];
  return await select(db, among(packMembers.packId, packIds));
}

/** How these payments took part in a packed transaction; those that never did are omitted. */
export async function listMemberships(db: Database, transferIds: readonly string[]): Promise<Member[]> {
  if (transferIds.length === 0) return [];
  return await select(db, among(packMembers.transferId, transferIds));
}

async function select(db: Database, wanted: SQL): Promise<Member[]> {
  const { packId, outcome, logIndex } = packMembers;
  const rows = await db
    .select({ packId, outcome, logIndex, transfer: transfers })
    .from(packMembers)
    .innerJoin(transfers, eq(transfers.id, packMembers.transferId))
    .where(wanted)
    .orderBy(asc(packMembers.packId), asc(packMembers.position));
  return rows.map(({ transfer, ...row }) => ({ ...row, transfer: toTransfer(transfer) }));
}

/** How a member ended. The unique index is the last defence against one log that pays two. */
export type MemberResult = { transferId: string; outcome: MemberOutcome; logIndex: number | null };

/** Stores how members ended, which is said once. */
export async function saveOutcomes(tx: Database, results: readonly MemberResult[]): Promise<void> {
  if (results.length === 0) return;
  const said = JSON.stringify(results.map(({ transferId: id, outcome, logIndex: place }) => ({ id, outcome, place })));
  await tx.execute(sql`update pack_members m set outcome = n.outcome, log_index = n.place
    from jsonb_to_recordset(${said}::text::jsonb) as n(id text, outcome text, place smallint) where m.transfer_id = n.id`);
}

/** Which of these payments were signed or packed before. */
export async function listTried(db: Database, transferIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (transferIds.length === 0) return new Set();
  const rows = await db.execute<{ id: string }>(sql`
    select w.id from jsonb_array_elements_text(${JSON.stringify(transferIds)}::text::jsonb) as w(id)
    where exists (select from transactions x where x.transfer_id = w.id and x.superseded_at is null)
      or exists (select from transactions x where x.transfer_id = w.id and x.superseded_at is not null) or exists (select from pack_members m where m.transfer_id = w.id)
      or exists (select from lapsing_attempts a where a.transfer_id = w.id)`);
  return new Set(rows.map(({ id }) => id));
}

/** Which of these owners, as the signing journal writes them (`settlement:tx_…`), have a payment here. */
export async function listOwnersHere(db: Database, owners: readonly string[]): Promise<ReadonlySet<string>> {
  if (owners.length === 0) return new Set();
  const rows = await db.execute<{ owner: string }>(sql`
    select w.owner from jsonb_array_elements_text(${JSON.stringify(owners)}::text::jsonb) as w(owner)
    join transfers t on t.purpose = split_part(w.owner, ':', 1) and t.owner_id = substr(w.owner, strpos(w.owner, ':') + 1)`);
  return new Set(rows.map(({ owner }) => owner));
}
