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
create trigger append_only before update or delete on audit_seals for each row execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on audit_verifications for each row execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on settlement_quotes for each row execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on settlement_approvals for each row execute function refuse_change();
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
--> statement-breakpoint
create trigger append_only before update or delete on ledger_entries for each row execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on ledger_postings for each row execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on ledger_snapshots for each row execute function refuse_change();
--> statement-breakpoint
-- Double entry: at commit an entry has all of its postings, and each asset adds up to zero. What ends a promise ends one of its own cause.
create function check_ledger_entry() returns trigger language plpgsql as $$
declare
  present int;
  uneven text;
begin
  select count(*) into present from ledger_postings where entry_id = new.id;
  if present <> new.lines then
    raise exception 'ledger entry % has % of its % postings', new.id, present, new.lines using errcode = 'check_violation';
  end if;
  select string_agg(currency || coalesce(' on ' || chain, ''), ', ') into uneven from (
    select currency, chain from ledger_postings where entry_id = new.id
    group by currency, chain having sum(amount) <> 0 or min(decimals) <> max(decimals)) as assets;
  if uneven is not null then
    raise exception 'ledger entry % does not add up in %', new.id, uneven using errcode = 'check_violation';
  end if;
  if new.resolves_id is not null and not exists (
    select 1 from ledger_entries promised
    where promised.id = new.resolves_id and promised.phase = 'pending' and promised.cause = new.cause and promised.cause_id = new.cause_id) then
    raise exception 'ledger entry % ends what was never promised to it', new.id using errcode = 'check_violation';
  end if;
  return null;
end
$$;
--> statement-breakpoint
create constraint trigger balanced after insert on ledger_entries deferrable initially deferred
  for each row execute function check_ledger_entry();
