import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { PastRequests } from "#domain/key-effect.ts";

/** The newest requests that are examined. With more, an answer would take longer than two seconds. */
const MOST_EXAMINED = 20_000;
const LOOKED_BACK_DAYS = 30;

type Asked = {
  /** null: the operator's. */
  partnerId: string | null;
  /** null: all of its keys. */
  keyIds: readonly string[] | null;
  /** Empty: every address is allowed. */
  allowedIps: readonly string[];
};

type Row = { operation: string | null; count: number; outside: number; examined: number };

/** What was answered to a partner's keys in the last 30 days of real time, by operation, in one statement. */
export async function readPastRequests(db: Database, { partnerId, keyIds, allowedIps }: Asked): Promise<PastRequests> {
  const own = partnerId === null ? sql`partner_id is null` : sql`partner_id = ${partnerId}::uuid`;
  const keyed = keyIds === null ? sql`api_key_id is not null` : sql`api_key_id = any(${`{${keyIds.join(",")}}`}::uuid[])`;
  const ranges = `{${allowedIps.join(",")}}`;
  const outside =
    allowedIps.length === 0
      ? sql`false`
      : sql`case when address ~ '^[0-9A-Fa-f.:]+$' then not (address::inet <<= any(${ranges}::inet[])) else true end`;
  const rows = await db.execute<Row>(sql`
    with seen as materialized (
      select api_key_id, operation, status, address from api_requests
      where ${own} and at > now() - ${LOOKED_BACK_DAYS} * interval '1 day' order by at desc, id desc limit ${MOST_EXAMINED + 1}
    ), answered as (
      select operation, ${outside} as outside from (select * from seen limit ${MOST_EXAMINED}) newest where ${keyed} and status < 400
    )
    select null as operation, 0 as count, 0 as outside, (select count(*)::int from seen) as examined
    union all select operation, count(*)::int, (count(*) filter (where outside))::int, 0 from answered group by operation`);
  const examined = Math.max(...rows.map((row) => row.examined));
  return {
    rows: rows.flatMap(({ operation, count, outside: away }) => (operation === null ? [] : [{ operation, count, outside: away }])),
    examined: Math.min(examined, MOST_EXAMINED),
    isSample: examined > MOST_EXAMINED,
  };
}
