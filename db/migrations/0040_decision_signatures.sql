CREATE TABLE "decision_signatures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"action" text NOT NULL,
	"object_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"record" text NOT NULL,
	"authenticator_data" text NOT NULL,
	"client_data" text NOT NULL,
	"signature" text NOT NULL,
	"signed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkey_keys" (
	"credential_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"public_key" text NOT NULL,
	"name" text NOT NULL,
	"registered_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD COLUMN "record" text;--> statement-breakpoint
ALTER TABLE "decision_signatures" ADD CONSTRAINT "decision_signatures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decision_signatures" ADD CONSTRAINT "decision_signatures_credential_id_passkey_keys_credential_id_fk" FOREIGN KEY ("credential_id") REFERENCES "public"."passkey_keys"("credential_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "decision_signatures_of_object" ON "decision_signatures" USING btree ("object_id");--> statement-breakpoint
CREATE INDEX "decision_signatures_in_order" ON "decision_signatures" USING btree ("signed_at","id");--> statement-breakpoint
-- Whose passkey signs decisions, and since when: nobody who may add a passkey may say that it is older, or take one out of the register.
CREATE FUNCTION register_passkey() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
begin
  insert into passkey_keys (credential_id, user_id, public_key, name, registered_at)
    values (new.credential_id, new.user_id, new.public_key, new.name, now()) on conflict do nothing;
  return null;
end
$$;
--> statement-breakpoint
INSERT INTO passkey_keys (credential_id, user_id, public_key, name, registered_at)
  SELECT credential_id, user_id, public_key, name, created_at FROM passkeys;
--> statement-breakpoint
CREATE TRIGGER register_passkey AFTER INSERT ON passkeys FOR EACH ROW EXECUTE FUNCTION register_passkey();
--> statement-breakpoint
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON decision_signatures FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON passkey_keys FOR EACH ROW EXECUTE FUNCTION refuse_change();
