-- Items of a batch are decided, confirmed and cancelled with it alone. No version of the service has ever changed this column.
CREATE TRIGGER batch_is_fixed BEFORE UPDATE ON "settlements" FOR EACH ROW WHEN (old.batch_id IS DISTINCT FROM new.batch_id)
EXECUTE FUNCTION refuse_other_payment();
