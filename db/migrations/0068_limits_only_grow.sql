-- A limit that is replaced has another version in force in its place: nobody takes one away without a word, whatever a statement says.
CREATE FUNCTION refuse_removed_limit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
begin
  if not exists (select from exposure_limits l where l.id = new.id and l.replaced_at is null) then
    raise exception 'the limit % has no version in force', new.id using errcode = 'restrict_violation';
  end if;
  return null;
end
$$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER is_replaced AFTER INSERT OR UPDATE ON "exposure_limits" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (new.replaced_at IS NOT NULL) EXECUTE FUNCTION refuse_removed_limit();
--> statement-breakpoint
-- What a limit has counted only grows, until it is out of every window and is deleted.
CREATE FUNCTION refuse_lower_count() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  raise exception 'what the limit % has counted only grows', new.limit_id using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
CREATE TRIGGER only_grows BEFORE UPDATE ON "exposure_counters" FOR EACH ROW WHEN (
  old.limit_id <> new.limit_id OR old.counter <> new.counter OR old.begins <> new.begins OR new.amount_atto < old.amount_atto
) EXECUTE FUNCTION refuse_lower_count();
--> statement-breakpoint
CREATE TRIGGER begins_at_nothing BEFORE INSERT ON "exposure_counters" FOR EACH ROW WHEN (new.amount_atto < 0) EXECUTE FUNCTION refuse_lower_count();
