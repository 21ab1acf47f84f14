-- What the schema's own language cannot say: functions, triggers, and rows that must never change.

-- Business time: the real instant, moved by the sandbox's clock (no row in live mode). To the millisecond, as every answer shows it.
-- clock_timestamp(), not now(): after a wait for a lock the answer is later than the lock.
create function business_now() returns timestamptz language sql volatile parallel safe as $$
  select date_trunc('milliseconds', clock_timestamp()
    + coalesce((select offset_ms from business_clock), 0) * interval '1 millisecond')
$$;
--> statement-breakpoint
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only', tg_table_name using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
create trigger append_only before update or delete on audit_entries for each row execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on settlement_quotes for each row execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on pair_terms for each row execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on provider_events for each row execute function refuse_change();
--> statement-breakpoint
-- Signed bytes are evidence: once stored they never change. Only when the node first took them is filled in, once.
create function refuse_other_bytes() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.broadcast_at is not null
    or to_jsonb(new) - 'broadcast_at' is distinct from to_jsonb(old) - 'broadcast_at' then
    raise exception 'transaction_attempts is append only' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
--> statement-breakpoint
create trigger append_only before update or delete on transaction_attempts for each row execute function refuse_other_bytes();
