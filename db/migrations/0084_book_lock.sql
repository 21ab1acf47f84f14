-- A snapshot of the books and the commit of an entry wait for each other: the snapshot has the entry, or the entry is refused as too late.
-- A promise is in no balance, and may come late.
CREATE OR REPLACE FUNCTION check_ledger_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  present int;
  uneven text;
BEGIN
  SELECT count(*) INTO present FROM ledger_postings WHERE entry_id = new.id;
  IF present <> new.lines THEN
    RAISE EXCEPTION 'ledger entry % has % of its % postings', new.id, present, new.lines USING errcode = 'check_violation';
  END IF;
  SELECT string_agg(currency || coalesce(' on ' || chain, ''), ', ') INTO uneven FROM (
    SELECT currency, chain FROM ledger_postings WHERE entry_id = new.id
    GROUP BY currency, chain HAVING sum(amount) <> 0 OR min(decimals) <> max(decimals)) AS assets;
  IF uneven IS NOT NULL THEN
    RAISE EXCEPTION 'ledger entry % does not add up in %', new.id, uneven USING errcode = 'check_violation';
  END IF;
  IF new.resolves_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM ledger_entries promised
    WHERE promised.id = new.resolves_id AND promised.phase = 'pending' AND promised.cause = new.cause AND promised.cause_id = new.cause_id) THEN
    RAISE EXCEPTION 'ledger entry % ends what was never promised to it', new.id USING errcode = 'check_violation';
  END IF;
  IF new.phase = 'posted' THEN
    PERFORM pg_advisory_xact_lock_shared(7355621);
    IF new.id < (SELECT max(before_id) FROM ledger_snapshots) THEN
      RAISE EXCEPTION 'ledger entry % is older than the newest snapshot of the books', new.id USING errcode = 'check_violation';
    END IF;
  END IF;
  RETURN null;
END
$$;
