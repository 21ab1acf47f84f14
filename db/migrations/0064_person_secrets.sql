ALTER TABLE "users" ADD COLUMN "has_totp" boolean GENERATED ALWAYS AS ("sealed_totp_secret" is not null) STORED NOT NULL;--> statement-breakpoint
-- Whether this transaction may touch a person's secrets: its own person's where it names one, nobody's in other work for a partner. At the sign-in
-- it names neither.
CREATE FUNCTION may_touch_secrets(person uuid, partner uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  select case
    when nullif(current_setting('service.person', true), '') is not null then
      person = current_setting('service.person', true)::uuid
        and (nullif(current_setting('service.partner', true), '') is null or partner = current_setting('service.partner', true)::uuid) is true
    else nullif(current_setting('service.partner', true), '') is null
  end
$$;
--> statement-breakpoint
-- One person's password and authenticator: no query over people shows them.
CREATE FUNCTION secrets_of_person(person uuid) RETURNS TABLE (password_hash text, sealed_totp_secret text, sealed_totp_draft text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  select u.password_hash, u.sealed_totp_secret, u.sealed_totp_draft from users u where u.id = person and may_touch_secrets(u.id, u.partner_id)
$$;
--> statement-breakpoint
-- Changes what `change` names, and nothing else.
CREATE FUNCTION change_secrets_of_person(person uuid, change jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
begin
  update users u set
    password_hash = coalesce(change->>'password_hash', u.password_hash),
    sealed_totp_secret = case when change ? 'sealed_totp_secret' then change->>'sealed_totp_secret' else u.sealed_totp_secret end,
    sealed_totp_draft = case when change ? 'sealed_totp_draft' then change->>'sealed_totp_draft' else u.sealed_totp_draft end,
    last_totp_step = coalesce((change->>'last_totp_step')::integer, u.last_totp_step)
    where u.id = person and may_touch_secrets(u.id, u.partner_id);
  if not found then
    raise exception 'the secrets of the person % may not be changed here', person using errcode = 'insufficient_privilege';
  end if;
end
$$;
--> statement-breakpoint
-- Of two who use the code of one half minute, one wins.
CREATE FUNCTION spend_totp_step(person uuid, step integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
begin
  update users u set last_totp_step = step
    where u.id = person and (u.last_totp_step is null or u.last_totp_step < step) and may_touch_secrets(u.id, u.partner_id);
  return found;
end
$$;
--> statement-breakpoint
-- Who manages people takes a lost authenticator from somebody, and learns nothing of it.
CREATE FUNCTION forget_authenticator(person uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
begin
  update users u set sealed_totp_secret = null, sealed_totp_draft = null
    where u.id = person
      and coalesce(person = nullif(current_setting('service.person', true), '')::uuid, true)
      and (nullif(current_setting('service.partner', true), '') is null or u.partner_id = current_setting('service.partner', true)::uuid);
  if not found then
    raise exception 'the authenticator of the person % may not be changed here', person using errcode = 'insufficient_privilege';
  end if;
end
$$;
--> statement-breakpoint
-- Whether somebody has a passkey, or still has that one: a yes or no for those who may not see others' passkeys.
CREATE FUNCTION has_passkey(person uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  select exists (select from passkeys k where k.user_id = person)
$$;
--> statement-breakpoint
CREATE FUNCTION keeps_passkey(person uuid, credential text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  select exists (select from passkeys k where k.user_id = person and k.credential_id = credential)
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION secrets_of_person(uuid), change_secrets_of_person(uuid, jsonb), spend_totp_step(uuid, integer), forget_authenticator(uuid), has_passkey(uuid), keeps_passkey(uuid, text) FROM PUBLIC;
