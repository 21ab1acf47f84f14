import { and, asc, eq, gte, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { auditEntries, auditSeals } from "#db/schema/audit-log.ts";
import { partners } from "#db/schema/partners.ts";
import { users } from "#db/schema/people.ts";
import { beyondId, nearestIdFirst } from "#db/walk.ts";
import { firstId } from "#domain/ids.ts";
import type { Walk } from "#domain/page.ts";

export type AuditFilter = {
  /** Left out: everybody's and the operator's own. */
  partnerId?: string;
  /** The actor: one person, all keys, or the service itself. */
  actor?:
    | { userId: string /** Only if it is that partner's person: nobody finds out what one of the operator's did. */; of?: string }
    | "keys"
    | "system"
    | "people";
  action?: string;
  objectId?: string;
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
};

const actorKey = sql`${auditEntries.actorType} in ('api_key', 'operator_key')`;
const actorUuid = sql`case when ${auditEntries.actorId} ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then ${auditEntries.actorId}::uuid end`;
const objectUuid = sql`case when ${auditEntries.objectId} ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then ${auditEntries.objectId}::uuid end`;

/** A page of entries, nearest to the place first. Their ids are in the order of time, so the place is an id. */
export async function browseAudit(db: Database, filter: AuditFilter, walk: Walk<string>) {
  return await db
    .select({
      id: auditEntries.id,
      at: auditEntries.at,
      partner: { id: partners.id, name: partners.name },
      actorType: auditEntries.actorType,
      actorId: auditEntries.actorId,
      /** The person's or the key's name; null for the system. */
      actorName: sql<string | null>`case when ${auditEntries.actorType} = 'user' then (select u.name from users u where u.id = ${actorUuid})
        when ${actorKey} then (select k.name from api_keys k where k.id = ${actorUuid}) end`,
      /** Whose person or key it was; null: the operator's, or no partner's. */
      actorPartnerId: sql<
        string | null
      >`case when ${auditEntries.actorType} = 'user' then (select u.partner_id from users u where u.id = ${actorUuid})
        when ${actorKey} then (select k.partner_id from api_keys k where k.id = ${actorUuid}) end`,
      action: auditEntries.action,
      objectId: auditEntries.objectId,
      /** What people call it, where it has a name. */
      objectName: sql<string | null>`case split_part(${auditEntries.action}, '.', 1)
        when 'partner' then (select p.name from partners p where p.id = ${objectUuid})
        when 'user' then (select u.name from users u where u.id = ${objectUuid})
        when 'api_key' then (select k.name from api_keys k where k.id = ${objectUuid})
        when 'member' then (select coalesce(m.name, m.external_user_id) from members m where m.id = ${objectUuid})
        when 'wallet' then (select w.address from wallets w where w.id = ${objectUuid}) end`,
      reason: auditEntries.reason,
      change: auditEntries.change,
      requestId: auditEntries.requestId,
      /** Its number in the chain; null: not sealed yet. */
      seq: auditSeals.seq,
    })
    .from(auditEntries)
    .leftJoin(partners, eq(partners.id, auditEntries.partnerId))
    .leftJoin(auditSeals, eq(auditSeals.entryId, auditEntries.id))
    .where(and(...conditions(filter), beyondId(auditEntries.id, walk)))
    .orderBy(nearestIdFirst(auditEntries.id, walk))
    .limit(walk.limit);
}

/** An entry of the audit log with the names of its actor and its objects. */
export type AuditRow = Awaited<ReturnType<typeof browseAudit>>[number];

function conditions(filter: AuditFilter): (SQL | undefined)[] {
  return [
    filter.partnerId === undefined ? undefined : eq(auditEntries.partnerId, filter.partnerId),
    filter.actor === undefined ? undefined : byActor(filter.actor),
    filter.action === undefined ? undefined : eq(auditEntries.action, filter.action),
    filter.objectId === undefined ? undefined : eq(auditEntries.objectId, filter.objectId),
    filter.from === undefined ? undefined : gte(auditEntries.id, firstId("audit", filter.from)),
    filter.to === undefined ? undefined : lt(auditEntries.id, firstId("audit", filter.to)),
  ];
}

/** Written out so that the planner recognises a partial index. */
function byActor(actor: NonNullable<AuditFilter["actor"]>): SQL | undefined {
  if (actor === "people") return sql`actor_type = 'user'`;
  if (actor === "system") return eq(auditEntries.actorType, "system");
  if (actor === "keys") return and(ne(auditEntries.actorType, "system"), sql`actor_type <> 'user'`);
  const own =
    actor.of === undefined ? undefined : sql`exists (select 1 from users u where u.id = ${actor.userId} and u.partner_id = ${actor.of})`;
  return and(sql`actor_type = 'user'`, eq(auditEntries.actorId, actor.userId), own);
}

/** People who may have done something: a partner's own, or (omitted) everybody. */
export async function listPossibleActors(db: Database, partnerId?: string): Promise<{ id: string; name: string }[]> {
  return await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(partnerId === undefined ? undefined : eq(users.partnerId, partnerId))
    .orderBy(asc(users.name))
    .limit(500);
}
