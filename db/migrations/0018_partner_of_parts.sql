ALTER TABLE "callback_attempts" ADD COLUMN "partner_id" uuid;--> statement-breakpoint
ALTER TABLE "settlement_approvals" ADD COLUMN "partner_id" uuid;--> statement-breakpoint
ALTER TABLE "settlement_quotes" ADD COLUMN "partner_id" uuid;
--> statement-breakpoint
-- That a row is of a partner, as statements that find it by its id say it. Where each table is one, that is looked at once the row is found: no
-- index is chosen for its sake. Where tables are spread by partner (db/layout.ts puts `$1 = $2` here), it says which part to look into.
CREATE FUNCTION of_partner(uuid, uuid) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'select ($1 = $2) is true';
--> statement-breakpoint
-- The same of rows that the version before wrote without saying whose they are.
CREATE FUNCTION of_partner_or_unsaid(uuid, uuid) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'select ($1 = $2) is not false';
--> statement-breakpoint
-- As before; and of a part, by the name of the table that it is a part of.
CREATE OR REPLACE FUNCTION refuse_change_but_archiving() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  kept jsonb := to_jsonb(old);
begin
  if tg_op = 'DELETE' and exists (
    select 1 from archived_rows a
    where a.archived_at = now() and a.kind = regexp_replace(tg_table_name, '_[0-9]+$', '')
      and a.id = coalesce(kept ->> 'id', (kept ->> 'settlement_id') || ' ' || (kept ->> 'version')) and a.row = kept) then
    return old;
  end if;
  raise exception '% is append only', tg_table_name using errcode = 'restrict_violation';
end
$$;
