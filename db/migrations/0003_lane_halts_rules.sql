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
