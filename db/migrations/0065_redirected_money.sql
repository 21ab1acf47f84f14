-- The log-in of the worker writes to tables that decide where money goes later. These rules say which of that it may not decide, whatever a
-- statement says. A log-in that makes no quotes is the worker's: it makes no settlement and no request for a Safe.
CREATE FUNCTION makes_quotes() RETURNS boolean LANGUAGE sql STABLE AS $$ select has_table_privilege('public.settlement_quotes', 'insert') $$;
--> statement-breakpoint
-- Who a member is never changes. A wallet that a member brought does not either; a Safe that is being deployed for a member has the address
-- of the member's own deployment. The signer derives that address again before it pays there.
CREATE FUNCTION refuse_other_wallet() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if (old.id, old.partner_id, old.external_user_id, old.chain) <> (new.id, new.partner_id, new.external_user_id, new.chain) then
    raise exception 'who the member % is, is fixed', old.id using errcode = 'restrict_violation';
  end if;
  if old.safe_status is distinct from new.safe_status and (old.safe_status is null or new.safe_status is null
      or old.safe_status || ' ' || new.safe_status not in ('deploying deployed', 'deploying failed', 'failed deploying')) then
    raise exception 'the Safe of the member % is %, and does not become %', old.id, coalesce(old.safe_status, 'its own'),
      coalesce(new.safe_status, 'its own') using errcode = 'restrict_violation';
  end if;
  if old.wallet_address is distinct from new.wallet_address and new.wallet_address is not null
    and (old.safe_status is distinct from 'deploying' or not exists (select from safe_deployments d
      where d.member_id = new.id and d.kind = 'safe' and d.state <> 'failed' and d.chain = new.chain and d.address = new.wallet_address)) then
    raise exception 'the wallet of the member % is fixed', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
--> statement-breakpoint
CREATE TRIGGER wallet_is_fixed BEFORE UPDATE ON "members" FOR EACH ROW WHEN (
  old.id <> new.id OR old.partner_id <> new.partner_id OR old.external_user_id <> new.external_user_id OR old.chain <> new.chain
  OR old.safe_status IS DISTINCT FROM new.safe_status OR old.wallet_address IS DISTINCT FROM new.wallet_address
) EXECUTE FUNCTION refuse_other_wallet();
--> statement-breakpoint
-- People and partners ask for Safes. The worker asks for the contracts that all Safes of a chain need.
CREATE FUNCTION refuse_own_deployment() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if new.shared and new.kind not in ('safe', 'owner_swap') and new.member_id is null and new.partner_id is null then
    return new;
  end if;
  raise exception 'the deployment % is asked for by people and partners only', new.id using errcode = 'insufficient_privilege';
end
$$;
--> statement-breakpoint
CREATE TRIGGER asked_for_by_others BEFORE INSERT ON "safe_deployments" FOR EACH ROW WHEN (NOT makes_quotes()) EXECUTE FUNCTION refuse_own_deployment();
--> statement-breakpoint
-- What is deployed, and for whom, never changes. Owners are chosen once, where nobody named them; those of a Safe that is there may be swapped.
CREATE FUNCTION refuse_other_deployment() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if (old.id, old.kind, old.chain, old.version, old.shared) <> (new.id, new.kind, new.chain, new.version, new.shared)
    or (old.threshold, old.salt_nonce, old.member_id, old.partner_id) is distinct from (new.threshold, new.salt_nonce, new.member_id, new.partner_id)
    or (old.address is not null and old.address is distinct from new.address) then
    raise exception 'what % deploys, and for whom, is fixed', old.id using errcode = 'restrict_violation';
  end if;
  if old.owners is distinct from new.owners and old.state in ('asked', 'owed') and not (old.state = 'asked' and new.state = 'owed'
      and (old.owners is null or (old.kind = 'owner_swap' and cardinality(old.owners) = 1 and new.owners[1] = old.owners[1]))) then
    raise exception 'the owners that % names are fixed', old.id using errcode = 'restrict_violation';
  end if;
  if old.state <> new.state
    and old.state || ' ' || new.state not in ('asked owed', 'owed made', 'made deployed', 'asked failed', 'owed failed', 'made failed') then
    raise exception 'a deployment that is % does not become %', old.state, new.state using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
--> statement-breakpoint
CREATE TRIGGER deployment_is_fixed BEFORE UPDATE ON "safe_deployments" FOR EACH ROW EXECUTE FUNCTION refuse_other_deployment();
--> statement-breakpoint
-- Partners make settlements. A settlement that the worker's log-in added to a batch would be confirmed with it. After the row: a change is
-- written as an insertion that gives way.
CREATE FUNCTION refuse_own_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  raise exception 'the settlement % is made by a partner only', new.id using errcode = 'insufficient_privilege';
end
$$;
--> statement-breakpoint
CREATE TRIGGER made_by_partners AFTER INSERT ON "settlements" FOR EACH ROW WHEN (NOT makes_quotes()) EXECUTE FUNCTION refuse_own_settlement();
--> statement-breakpoint
-- An approval that is asked for is given or refused; it is never taken back.
CREATE FUNCTION refuse_other_approval() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  raise exception 'the approval of % is %, and does not become %', old.id, coalesce(old.approval_state, 'none'), coalesce(new.approval_state, 'none')
    using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
CREATE TRIGGER approval_is_decided BEFORE UPDATE ON "settlements" FOR EACH ROW WHEN (
  old.approval_state IS DISTINCT FROM new.approval_state AND (old.approval_state IS DISTINCT FROM 'pending' OR new.approval_state IS NULL)
) EXECUTE FUNCTION refuse_other_approval();
--> statement-breakpoint
-- Whose an order is never changes, and it takes the steps of its life one after another: no order that has ended begins again.
CREATE FUNCTION refuse_other_order() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if old.member_id is distinct from new.member_id or old.external_user_id is distinct from new.external_user_id then
    raise exception 'whose % is, is fixed', old.id using errcode = 'restrict_violation';
  end if;
  if old.step <> new.step and old.step || ' ' || new.step not in (
      'collecting sending', 'collecting uncollected', 'sending sent', 'sending unsent',
      'reserved sweeping', 'reserved released', 'sweeping paying_out', 'sweeping released', 'paying_out paid', 'paying_out returning',
      'returning returned', 'returning unreturned') then
    raise exception '% is %, and does not become %', old.id, old.step, new.step using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
--> statement-breakpoint
CREATE TRIGGER order_is_fixed BEFORE UPDATE ON "topups" FOR EACH ROW WHEN (
  old.member_id <> new.member_id OR old.external_user_id <> new.external_user_id OR old.step <> new.step
) EXECUTE FUNCTION refuse_other_order();
--> statement-breakpoint
CREATE TRIGGER order_is_fixed BEFORE UPDATE ON "withdrawals" FOR EACH ROW WHEN (
  old.member_id IS DISTINCT FROM new.member_id OR old.external_user_id IS DISTINCT FROM new.external_user_id OR old.step <> new.step
) EXECUTE FUNCTION refuse_other_order();
