ALTER TABLE "topups" ADD COLUMN "cancelled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "cancelled_at" timestamp (3) with time zone;
--> statement-breakpoint
-- Ends the sweep of a withdrawal that its partner has just cancelled, and the holds on it, if no worker has it in hand and no transaction was
-- ever made for it. It waits for no lock: whoever has the sweep decides.
CREATE FUNCTION end_cancelled_sweep(owner text, partner uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
declare
  w withdrawals;
  sweep text;
begin
  select * into w from withdrawals where id = owner and partner_id = partner and cancelled_at is not null
    and coalesce(partner_id = nullif(current_setting('service.partner', true), '')::uuid, true);
  if not found then
    return false;
  end if;
  select t.id into sweep from transfers t where t.purpose = 'sweep' and t.owner_id = owner and t.partner_id = partner and t.state = 'queued'
    and t.lease_token is null and not exists (select from transactions x where x.transfer_id = t.id)
    for update of t skip locked;
  if not found then
    return false;
  end if;
  update payment_holds set outcome = 'ended', decided_at = w.cancelled_at
    where purpose = 'sweep' and owner_id = owner and partner_id = partner and outcome = 'open';
  update transfers set state = 'failed', failure_reason = w.failure_reason, waiting_kind = null, waiting_since = null, waiting_reason = null,
    due_at = null, lease_until = null, rest_until = null, updated_at = w.cancelled_at where id = sweep;
  return true;
end
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION end_cancelled_sweep(text, uuid) FROM PUBLIC;
--> statement-breakpoint
-- What is cancelled has moved nothing, and stays so: nobody sweeps, collects or pays for it afterwards.
CREATE FUNCTION refuse_other_cancellation() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  raise exception '% has moved or was cancelled: it stays so', old.id using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
CREATE TRIGGER cancellation_is_final BEFORE UPDATE ON "withdrawals" FOR EACH ROW WHEN (
  (old.cancelled_at IS NOT NULL AND (old.cancelled_at IS DISTINCT FROM new.cancelled_at OR old.step <> new.step))
  OR (old.cancelled_at IS NULL AND new.cancelled_at IS NOT NULL AND (new.step <> 'released' OR old.step NOT IN ('reserved', 'sweeping')))
) EXECUTE FUNCTION refuse_other_cancellation();
--> statement-breakpoint
CREATE TRIGGER cancellation_is_final BEFORE UPDATE ON "topups" FOR EACH ROW WHEN (
  (old.cancelled_at IS NOT NULL AND (old.cancelled_at IS DISTINCT FROM new.cancelled_at OR old.step <> new.step OR new.given_at IS NOT NULL))
  OR (old.cancelled_at IS NULL AND new.cancelled_at IS NOT NULL AND (new.step <> 'uncollected' OR old.step <> 'collecting' OR old.given_at IS NOT NULL))
) EXECUTE FUNCTION refuse_other_cancellation();
