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
--> statement-breakpoint
-- The history of stopped lanes: a row is lifted once, and otherwise never changes.
create function refuse_other_lift() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.lifted_at is not null or new.lifted_at is null
    or to_jsonb(new) - array['lifted_at', 'lifted_by', 'lift_confirmed_by', 'lift_reason']
      is distinct from to_jsonb(old) - array['lifted_at', 'lifted_by', 'lift_confirmed_by', 'lift_reason'] then
    raise exception 'lane_halts is append only' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
--> statement-breakpoint
create trigger append_only before update or delete on lane_halts for each row execute function refuse_other_lift();
--> statement-breakpoint
-- What was paused stays stopped, by the one mechanism there is from now on.
insert into lane_halts (id, lane_kind, lane_key, cause, detail, evidence, since)
  select 'lh_' || substr(md5(id::text), 1, 26), 'wallet', id::text, 'operator', coalesce(trouble, 'It was paused before this version.'), '{}', business_now()
  from wallets where paused;
--> statement-breakpoint
-- What proved a transfer is evidence: it never changes.
create trigger append_only before update or delete on transfer_proofs for each row execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on network_fees for each row execute function refuse_change();
--> statement-breakpoint
-- What was told to the provider before that was written down: a refusal of it is no first one.
update withdrawals set given_at = coalesce(accepted_at, updated_at) where step = 'paying_out' and given_at is null and (accepted_at is not null or tries > 0);
--> statement-breakpoint
update topups set given_at = coalesce(accepted_at, updated_at) where step = 'collecting' and given_at is null and (accepted_at is not null or tries > 0);
--> statement-breakpoint
-- A nonce is given up only because a reverted attempt under it is final. That never becomes untrue, so that it is never taken back.
create function refuse_standing_again() returns trigger language plpgsql as $$
begin
  raise exception 'a superseded transaction stays superseded' using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
create trigger superseded_for_good before update of superseded_at on transactions for each row
  when (old.superseded_at is not null and new.superseded_at is distinct from old.superseded_at) execute function refuse_standing_again();
--> statement-breakpoint
-- Since when what is not taken has failed: read off the attempts that there were. What is delivered, or was never tried, has none.
UPDATE callbacks c
SET failing_since = coalesce((SELECT min(a.ended_at) FROM callback_attempts a WHERE a.callback_id = c.id AND a.error_kind IS NOT NULL), c.undelivered_at)
WHERE c.state IN ('pending', 'undelivered') AND c.failing_since IS NULL;
--> statement-breakpoint
-- The new index says the same of the transactions that stand.
ALTER TABLE "transactions" DROP CONSTRAINT "transactions_transferId_unique";
--> statement-breakpoint
-- Added without reading a row; read now, without stopping anybody.
ALTER TABLE "api_keys" VALIDATE CONSTRAINT "api_keys_made_by_users_id_fk";
--> statement-breakpoint
ALTER TABLE "api_keys" VALIDATE CONSTRAINT "api_keys_rotated_from_api_keys_id_fk";
--> statement-breakpoint
ALTER TABLE "callbacks" VALIDATE CONSTRAINT "callbacks_extra_is_asked";
--> statement-breakpoint
ALTER TABLE "topups" VALIDATE CONSTRAINT "topups_due_where_we_act";
--> statement-breakpoint
ALTER TABLE "transfers" VALIDATE CONSTRAINT "transfers_waiting";
--> statement-breakpoint
ALTER TABLE "transfers" VALIDATE CONSTRAINT "transfers_adrift";
--> statement-breakpoint
ALTER TABLE "wallets" VALIDATE CONSTRAINT "wallets_state";
--> statement-breakpoint
ALTER TABLE "withdrawals" VALIDATE CONSTRAINT "withdrawals_due_where_we_act";
