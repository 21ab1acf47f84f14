-- A snapshot of the books has all entries before an id. An entry that came later with a smaller id would be in no balance.
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
  IF new.id < (SELECT max(before_id) FROM ledger_snapshots) THEN
    RAISE EXCEPTION 'ledger entry % is older than the newest snapshot of the books', new.id USING errcode = 'check_violation';
  END IF;
  RETURN null;
END
$$;
