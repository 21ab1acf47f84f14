CREATE TABLE "lapsing_attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"transfer_id" text NOT NULL,
	"wallet_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"state" text NOT NULL,
	"signed_bytes" text NOT NULL,
	"unsigned_bytes" text NOT NULL,
	"after_height" bigint NOT NULL,
	"expiry_height" bigint,
	"expiry_at" timestamp (3) with time zone,
	"fee_token" text,
	"fee_at_most" numeric(78, 0) NOT NULL,
	"signed_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"look_at" timestamp (3) with time zone NOT NULL,
	"block_number" bigint,
	"block_hash" text,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "lapsing_attempts_number" UNIQUE("transfer_id","number"),
	CONSTRAINT "lapsing_attempts_expiry" CHECK (("lapsing_attempts"."expiry_height" is null) <> ("lapsing_attempts"."expiry_at" is null)),
	CONSTRAINT "lapsing_attempts_end" CHECK (("lapsing_attempts"."ended_at" is null) = ("lapsing_attempts"."state" in ('stored', 'sent', 'seen'))),
	CONSTRAINT "lapsing_attempts_block" CHECK ("lapsing_attempts"."state" not in ('seen', 'paid', 'failed') or "lapsing_attempts"."block_hash" is not null)
);
--> statement-breakpoint
ALTER TABLE "lapsing_attempts" ADD CONSTRAINT "lapsing_attempts_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lapsing_attempts" ADD CONSTRAINT "lapsing_attempts_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "lapsing_attempts_valid" ON "lapsing_attempts" USING btree ("transfer_id") WHERE state not in ('failed', 'lapsed');--> statement-breakpoint
CREATE INDEX "lapsing_attempts_open" ON "lapsing_attempts" USING btree ("wallet_id","look_at") WHERE state in ('stored', 'sent', 'seen');--> statement-breakpoint
CREATE INDEX "lapsing_attempts_block" ON "lapsing_attempts" USING btree ("wallet_id","block_number") WHERE block_number is not null;--> statement-breakpoint
-- The lifecycle of `domain/lapsing.ts`: an attempt begins stored, and what has ended stays ended. Otherwise a payment could be signed again.
CREATE FUNCTION refuse_lapsing_move() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'stored' then
      raise exception 'an attempt is stored before anything else' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if old.id <> new.id or old.transfer_id <> new.transfer_id or old.wallet_id <> new.wallet_id or old.signed_bytes <> new.signed_bytes
    or old.unsigned_bytes <> new.unsigned_bytes or old.after_height <> new.after_height or old.expiry_height is distinct from new.expiry_height
    or old.expiry_at is distinct from new.expiry_at then
    raise exception 'what was signed never changes: %', old.id using errcode = 'restrict_violation';
  end if;
  if old.state <> new.state and (old.state, new.state) not in (('stored', 'sent'), ('stored', 'seen'), ('stored', 'paid'), ('stored', 'failed'),
    ('stored', 'lapsed'), ('sent', 'seen'), ('sent', 'paid'), ('sent', 'failed'), ('sent', 'lapsed'), ('seen', 'sent'), ('seen', 'paid'),
    ('seen', 'failed')) then
    raise exception 'an attempt that is % does not become %', old.state, new.state using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
--> statement-breakpoint
CREATE TRIGGER moves_by_its_lifecycle BEFORE INSERT OR UPDATE ON "lapsing_attempts" FOR EACH ROW EXECUTE FUNCTION refuse_lapsing_move();
