import { sql } from "drizzle-orm";
import { type AuditRule, type AuditScope, type AuditSlice, inScope } from "./rule.ts";

/**
 * Rules about settlements and the requests that made them. A settlement names its request in the audit entry of its creation, and the API
 * log has that request's answer. The rules cover neither a settlement whose entry names no request (seed, history, services called
 * directly), nor one whose request the log no longer has or never got: the log deletes, and may lose its last rows with a process. A 5xx
 * does not mean a refusal: an unconfirmed commit may have succeeded.
 */
export function requestRules(scope: AuditScope | AuditSlice): AuditRule[] {
  const created = sql`settlements s join audit_entries e on e.object_id = s.id and e.action = 'settlement.created'
    where ${inScope(scope, "settlement", sql`s.id`)} and e.request_id is not null`;
  const checked = sql`select count(*) from ${created}`;
  return [
    {
      name: "made_by_no_refused_request",
      title: "no settlement was made by a request that was refused",
      checked,
      violations: sql`
        select c.id, format('its request %s was refused: %s', r.id, r.code), c.chain
        from (select s.id, s.chain, e.request_id from ${created}) as c join api_requests r on r.id = c.request_id
        where r.operation in ('create_settlement', 'create_batch') and r.status between 400 and 499`,
    },
    {
      name: "one_settlement_a_request",
      title: "no request made two settlements, but for those of one batch",
      checked,
      violations: sql`
        select min(s.id), format('its request %s made %s settlements', e.request_id, count(*)), min(s.chain)
        from ${created} group by e.request_id having count(distinct coalesce(s.batch_id, s.id)) > 1`,
    },
  ];
}
