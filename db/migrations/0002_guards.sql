CREATE TABLE "lane_halts" (
	"id" text PRIMARY KEY NOT NULL,
	"lane_kind" text NOT NULL,
	"lane_key" text NOT NULL,
	"cause" text NOT NULL,
	"detail" text NOT NULL,
	"evidence" jsonb NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"halted_by" text,
	"lifted_at" timestamp (3) with time zone,
	"lifted_by" text,
	"lift_confirmed_by" text,
	"lift_reason" text,
	CONSTRAINT "lane_halts_kind" CHECK ("lane_halts"."lane_kind" in ('wallet', 'chain', 'provider', 'partner')),
	CONSTRAINT "lane_halts_cause" CHECK ("lane_halts"."cause" ~ '^[a-z_]+$'),
	CONSTRAINT "lane_halts_lifted" CHECK (("lane_halts"."lifted_at" is null) = ("lane_halts"."lifted_by" is null) and ("lane_halts"."lifted_at" is null) = ("lane_halts"."lift_reason" is null)),
	CONSTRAINT "lane_halts_two_people" CHECK ("lane_halts"."lift_confirmed_by" is null or "lane_halts"."lift_confirmed_by" <> "lane_halts"."lifted_by")
);
--> statement-breakpoint
CREATE TABLE "network_fees" (
	"id" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"chain" text NOT NULL,
	"transfer_id" text NOT NULL,
	"block_number" bigint NOT NULL,
	"gas_used" numeric(78, 0) NOT NULL,
	"fee_base" numeric(78, 0) NOT NULL,
	"booked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "network_fees_amount" CHECK (("network_fees"."fee_base" >= 0 or "network_fees"."id" <> "network_fees"."hash") and "network_fees"."gas_used" >= 0)
);
--> statement-breakpoint
CREATE TABLE "paused_receivers" (
	"partner_id" uuid,
	"origin" text NOT NULL,
	"reason" text NOT NULL,
	"paused_at" timestamp (3) with time zone NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" text,
	CONSTRAINT "paused_receivers_once" UNIQUE NULLS NOT DISTINCT("partner_id","origin")
);
--> statement-breakpoint
CREATE TABLE "proposals" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"body" jsonb NOT NULL,
	"reason" text,
	"proposer_type" text NOT NULL,
	"proposer_id" uuid NOT NULL,
	"proposer_name" text NOT NULL,
	"proposed_at" timestamp (3) with time zone NOT NULL,
	"decider_type" text,
	"decider_id" uuid,
	"decider_name" text,
	"decided_at" timestamp (3) with time zone,
	"outcome" text DEFAULT 'open' NOT NULL,
	CONSTRAINT "proposals_are_open_or_decided" CHECK (("proposals"."outcome" = 'open') = ("proposals"."decided_at" is null) and ("proposals"."outcome" = 'open') = ("proposals"."decider_type" is null)
        and ("proposals"."decider_type" is null) = ("proposals"."decider_id" is null) and ("proposals"."decider_type" is null) = ("proposals"."decider_name" is null))
);
--> statement-breakpoint
CREATE TABLE "transfer_proofs" (
	"transfer_id" text PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"hash" text NOT NULL,
	"log_index" smallint,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"block_at" timestamp (3) with time zone NOT NULL,
	"proven_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "transfer_proofs_once" UNIQUE NULLS NOT DISTINCT("chain","hash","log_index")
);
--> statement-breakpoint
ALTER TABLE "topups" DROP CONSTRAINT "topups_due_where_we_act";
--> statement-breakpoint
ALTER TABLE "withdrawals" DROP CONSTRAINT "withdrawals_due_where_we_act";
--> statement-breakpoint
ALTER TABLE "callback_attempts" ALTER COLUMN "number" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "wallets" ALTER COLUMN "paused" SET DEFAULT false;
--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "by_code" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "made_by" uuid;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "rotated_from" uuid;
--> statement-breakpoint
ALTER TABLE "callbacks" ADD COLUMN "extra_attempt_id" text;
--> statement-breakpoint
ALTER TABLE "callbacks" ADD COLUMN "extra_asked_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "callbacks" ADD COLUMN "failing_since" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "sealed_body" text;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "stepped_up_by_code" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "topups" ADD COLUMN "given_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "topups" ADD COLUMN "ambiguous_since" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "superseded_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "waiting_kind" text;
--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "waiting_since" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "adrift_since" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "state" text DEFAULT 'active' NOT NULL;
--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "aligned_height" bigint;
--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "given_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "ambiguous_since" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "network_fees" ADD CONSTRAINT "network_fees_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "paused_receivers" ADD CONSTRAINT "paused_receivers_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "transfer_proofs" ADD CONSTRAINT "transfer_proofs_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "lane_halts_open" ON "lane_halts" USING btree ("lane_kind","lane_key") WHERE lifted_at is null;
--> statement-breakpoint
CREATE INDEX "lane_halts_lane" ON "lane_halts" USING btree ("lane_kind","lane_key","since");
--> statement-breakpoint
CREATE INDEX "network_fees_block" ON "network_fees" USING btree ("chain","block_number");
--> statement-breakpoint
CREATE INDEX "network_fees_of_transfer" ON "network_fees" USING btree ("transfer_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_open" ON "proposals" USING btree ("kind","subject") WHERE outcome = 'open';
--> statement-breakpoint
CREATE INDEX "proposals_proposed_at_index" ON "proposals" USING btree ("proposed_at");
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_rotated_from_api_keys_id_fk" FOREIGN KEY ("rotated_from") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_extra_is_asked" CHECK (("callbacks"."extra_attempt_id" is null) = ("callbacks"."extra_asked_at" is null)) NOT VALID;
--> statement-breakpoint
ALTER TABLE "topups" ADD CONSTRAINT "topups_due_where_we_act" CHECK (("topups"."due_at" is not null) = ("topups"."step" = 'collecting' and "topups"."ambiguous_since" is null)) NOT VALID;
--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_waiting" CHECK ("transfers"."waiting_kind" is null or "transfers"."waiting_kind" in ('treasury_funding', 'chain_unavailable', 'review', 'hold')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_adrift" CHECK ("transfers"."adrift_since" is null or "transfers"."state" = 'executed') NOT VALID;
--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_state" CHECK ("wallets"."state" in ('active', 'draining', 'retired', 'compromised')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_due_where_we_act" CHECK (("withdrawals"."due_at" is not null) = ("withdrawals"."step" = 'reserved' or "withdrawals"."step" = 'paying_out' and "withdrawals"."ambiguous_since" is null)) NOT VALID;
--> statement-breakpoint
CREATE INDEX "network_fees_hash" ON "network_fees" USING btree ("hash");
