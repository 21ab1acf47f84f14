-- As before. A setting that a session has had is an empty text afterwards, which is no id: it is never read as one, not even by the planner.
CREATE OR REPLACE FUNCTION may_touch_secrets(person uuid, partner uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
declare
  own_person uuid := nullif(current_setting('service.person', true), '')::uuid;
  own_partner uuid := nullif(current_setting('service.partner', true), '')::uuid;
begin
  if own_person is null then
    return own_partner is null;
  end if;
  return person = own_person and (own_partner is null or partner is not distinct from own_partner);
end
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION forget_authenticator(person uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
declare
  own_person uuid := nullif(current_setting('service.person', true), '')::uuid;
  own_partner uuid := nullif(current_setting('service.partner', true), '')::uuid;
begin
  update users u set sealed_totp_secret = null, sealed_totp_draft = null
    where u.id = person and (own_person is null or u.id = own_person) and (own_partner is null or u.partner_id = own_partner);
  if not found then
    raise exception 'the authenticator of the person % may not be changed here', person using errcode = 'insufficient_privilege';
  end if;
end
$$;
