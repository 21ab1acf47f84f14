-- What was proposed, and by whom, never changes, and it is decided once: otherwise one would confirm what another one never proposed.
create function refuse_other_proposal() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.outcome <> 'open'
    or to_jsonb(new) - array['outcome', 'decided_at', 'decider_type', 'decider_id', 'decider_name']
      is distinct from to_jsonb(old) - array['outcome', 'decided_at', 'decider_type', 'decider_id', 'decider_name'] then
    raise exception 'proposals are decided once and never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
--> statement-breakpoint
create trigger decided_once before update or delete on proposals for each row execute function refuse_other_proposal();
--> statement-breakpoint
-- As whom a key counts, and where it comes from, is settled when it is made.
create function refuse_other_descent() returns trigger language plpgsql as $$
begin
  if new.made_by is distinct from old.made_by or new.rotated_from is distinct from old.rotated_from then
    raise exception 'the descent of an API key never changes' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
--> statement-breakpoint
-- The keys there are already: who made them and what they were rotated from stands in the audit log. A key that a key made counts as
-- whoever that key counts as.
with recursive made (key_id, actor_type, actor_id) as (
  select object_id::uuid, actor_type, actor_id::uuid from audit_entries where action = 'api_key.created'
), descent (key_id, by_type, by_id, depth) as (
  select key_id, actor_type, actor_id, 0 from made
  union all
  select descent.key_id, made.actor_type, made.actor_id, descent.depth + 1
  from descent join made on made.key_id = descent.by_id
  where descent.by_type = 'operator_key' and descent.depth < 100
)
update api_keys set made_by = descent.by_id
from descent where descent.key_id = api_keys.id and descent.by_type = 'user' and exists (select 1 from users where users.id = descent.by_id);
--> statement-breakpoint
update api_keys set rotated_from = rotated.object_id::uuid
from (select distinct on (change->>'replaced_by') object_id, change->>'replaced_by' as successor
  from audit_entries where action = 'api_key.rotated' order by change->>'replaced_by', id) as rotated
where rotated.successor = api_keys.id::text and exists (select 1 from api_keys as before where before.id::text = rotated.object_id);
--> statement-breakpoint
create trigger descent_is_settled before update on api_keys for each row execute function refuse_other_descent();
--> statement-breakpoint
-- Operators' keys have scopes of their own now. Those of before stay beside them while the version before may still run.
update api_keys set scopes = scopes
  || case when scopes && array['settlements:write'] then array['settlements:decide'] else array[]::text[] end
  || case when scopes && array['partner:write'] then array['partners:admin', 'treasury'] else array[]::text[] end
  || array['read']
where partner_id is null;
