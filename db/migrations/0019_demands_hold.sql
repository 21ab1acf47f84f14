-- The version before knows nothing of what the approval policy asked of a settlement, and may run beside this one: whoever approves, it is by as
-- many yeses as were asked for. A process writes its yes before it changes the settlement, so this sees them all.
CREATE FUNCTION refuse_unless_demand_is_met() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  needed int := (select d.approvals from approval_demands d where d.settlement_id = new.id and of_partner(d.partner_id, new.partner_id));
  given bigint;
begin
  if needed is null then return new; end if;
  select count(*) into given from settlement_approvals a
  where a.settlement_id = new.id and of_partner_or_unsaid(a.partner_id, new.partner_id);
  if given >= needed then return new; end if;
  raise exception 'the approval policy asks for % approvals of %, which has %', needed, new.id, given using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
CREATE TRIGGER demand_is_met BEFORE UPDATE ON "settlements" FOR EACH ROW
WHEN (new.approval_state = 'approved' AND old.approval_state IS DISTINCT FROM 'approved') EXECUTE FUNCTION refuse_unless_demand_is_met();
--> statement-breakpoint
-- Of the keys of a screening's hold: any that is no " unanswered" one. For the index of the next migration.
CREATE FUNCTION tells_a_finding(keys text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
'select exists (select 1 from unnest(keys) as k(key) where k.key not like ''% unanswered'')';
