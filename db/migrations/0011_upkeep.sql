CREATE TABLE "retention_walks" (
	"kind" text PRIMARY KEY NOT NULL,
	"after" text NOT NULL,
	"begun_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "callbacks" ADD COLUMN "attempts_archived_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "topups" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "topups" ADD COLUMN "expired_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "topups" ADD COLUMN "late_paid_at" timestamp (3) with time zone;--> statement-breakpoint
-- What has been kept for as long as it is promised goes here, month by month, as it was: a month is dropped whole.
CREATE TABLE "archived_rows" (
  "archived_at" timestamptz NOT NULL DEFAULT now(),
  "kind" text NOT NULL,
  "id" text NOT NULL,
  "row" jsonb NOT NULL,
  PRIMARY KEY ("archived_at", "kind", "id")
) PARTITION BY RANGE ("archived_at");
--> statement-breakpoint
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "archived_rows" FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- A row that never changes may still go to the archive: in the transaction that has put it there, as it is, and in no other way.
CREATE FUNCTION refuse_change_but_archiving() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  kept jsonb := to_jsonb(old);
begin
  if tg_op = 'DELETE' and exists (
    select 1 from archived_rows a
    where a.archived_at = now() and a.kind = tg_table_name and a.id = coalesce(kept ->> 'id', (kept ->> 'settlement_id') || ' ' || (kept ->> 'version'))
      and a.row = kept) then
    return old;
  end if;
  raise exception '% is append only', tg_table_name using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON "settlement_quotes" FOR EACH ROW EXECUTE FUNCTION refuse_change_but_archiving();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON "provider_events" FOR EACH ROW EXECUTE FUNCTION refuse_change_but_archiving();
--> statement-breakpoint
-- Brings these to the archive, as far as they may go at all, whoever asks; in the caller's transaction. It works as the owner, who alone may
-- take a row out of what only grows. Of quotes: lapsed, never confirmed, never a matter of a decision. Of callbacks (their attempts): at an
-- end. Of the provider's words: those that moved nothing and told nothing new. What is written just now is passed over. Answers how many.
CREATE FUNCTION archive_rows(what text, ids text[], before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
declare
  month text := to_char(now() at time zone 'UTC', 'YYYY_MM');
  first timestamptz := date_trunc('month', now() at time zone 'UTC') at time zone 'UTC';
  next timestamptz := (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC';
  week_ago timestamptz := business_now() - interval '7 days';
  chosen text[];
  moved integer := 0;
begin
  if to_regclass('public.archived_rows_' || month) is null then
    perform pg_advisory_xact_lock(7355620);
    if to_regclass('public.archived_rows_' || month) is null then
      -- Another session's may be in no cache of ours yet.
      execute format('create table if not exists public.archived_rows_%s partition of public.archived_rows for values from (%L) to (%L)', month, first, next);
    end if;
  end if;
  case what
    when 'lapsed_quotes' then
      chosen := array(select s.id from settlements s where s.id = any(ids) and s.status = 'quoted' and s.approval_state is null
        and s.expires_at < least(before, week_ago) order by s.id for update skip locked);
      insert into archived_rows (kind, id, row) select 'settlement_quotes', q.settlement_id || ' ' || q.version, to_jsonb(q)
        from settlement_quotes q where q.settlement_id = any(chosen);
      insert into archived_rows (kind, id, row) select 'settlements', s.id, to_jsonb(s) from settlements s where s.id = any(chosen);
      delete from settlement_quotes q where q.settlement_id = any(chosen);
      delete from settlements s where s.id = any(chosen);
      get diagnostics moved = row_count;
    when 'callback_attempts' then
      chosen := array(select c.id from callbacks c where c.id = any(ids) and c.state <> 'pending' and c.extra_attempt_id is null and c.lease_token is null
        and coalesce(c.delivered_at, c.undelivered_at) < least(before, week_ago) order by c.id for update skip locked);
      insert into archived_rows (kind, id, row) select 'callback_attempts', a.id, to_jsonb(a) from callback_attempts a where a.callback_id = any(chosen);
      delete from callback_attempts a where a.callback_id = any(chosen);
      get diagnostics moved = row_count;
      update callbacks c set attempts_archived_at = business_now() where c.id = any(chosen);
    when 'provider_events' then
      chosen := array(select e.id from provider_events e where e.id = any(ids) and e.effect in ('repeated', 'unknown_order')
        and e.received_at < least(before, week_ago) order by e.id for update skip locked);
      insert into archived_rows (kind, id, row) select 'provider_events', e.id, to_jsonb(e) from provider_events e where e.id = any(chosen);
      delete from provider_events e where e.id = any(chosen);
      get diagnostics moved = row_count;
    when 'api_log' then
      chosen := array(select r.id from api_requests r where r.id = any(ids)
        and r.at < least(before, now() - interval '7 days') order by r.id for update skip locked);
      -- What tells of a person, or of what was sent, does not outlive the log.
      insert into archived_rows (kind, id, row) select 'api_requests', r.id, to_jsonb(r) - 'address' - 'query' - 'refused' - 'refused_body'
        from api_requests r where r.id = any(chosen);
      delete from api_requests r where r.id = any(chosen);
      get diagnostics moved = row_count;
    else
      raise exception 'nothing is archived under the name %', what using errcode = 'invalid_parameter_value';
  end case;
  return moved;
end
$$;
--> statement-breakpoint
-- Drops the months of the archive that ended so many days ago, 30 at least, whoever asks. Answers their names.
CREATE FUNCTION drop_archive(days integer) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
declare
  part text;
begin
  for part in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'public.archived_rows'::regclass
    and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= (now() at time zone 'UTC') - make_interval(days => greatest(days, 30)) order by 1
  loop
    execute format('drop table public.%I', part);
    return next part;
  end loop;
end
$$;
--> statement-breakpoint
INSERT INTO "retention_walks" ("kind", "after", "begun_at")
  SELECT kind, '', business_now() FROM unnest(array['api_log', 'callback_attempts', 'provider_events', 'lapsed_quotes']) AS kind;
