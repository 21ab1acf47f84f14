-- The trigger let an outcome be emptied, because a comparison with null is not true.
DROP TRIGGER outcome_is_fixed ON "pack_members";
--> statement-breakpoint
CREATE TRIGGER outcome_is_fixed BEFORE UPDATE ON "pack_members" FOR EACH ROW WHEN (
  old.transfer_id <> new.transfer_id OR old.pack_id <> new.pack_id OR old.position <> new.position
  OR (old.outcome IS NOT NULL AND old.outcome IS DISTINCT FROM new.outcome)
) EXECUTE FUNCTION refuse_other_outcome();
