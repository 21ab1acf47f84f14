CREATE TABLE "network_fees" (
	"hash" text PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"transfer_id" text NOT NULL,
	"block_number" bigint NOT NULL,
	"gas_used" numeric(78, 0) NOT NULL,
	"fee_base" numeric(78, 0) NOT NULL,
	"booked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "network_fees_amount" CHECK ("network_fees"."fee_base" >= 0 and "network_fees"."gas_used" >= 0)
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
ALTER TABLE "topups" DROP CONSTRAINT "topups_due_where_we_act";--> statement-breakpoint
ALTER TABLE "withdrawals" DROP CONSTRAINT "withdrawals_due_where_we_act";--> statement-breakpoint
ALTER TABLE "topups" ADD COLUMN "given_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "topups" ADD COLUMN "ambiguous_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "given_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "ambiguous_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "network_fees" ADD CONSTRAINT "network_fees_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_proofs" ADD CONSTRAINT "transfer_proofs_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "network_fees_block" ON "network_fees" USING btree ("chain","block_number");--> statement-breakpoint
CREATE INDEX "network_fees_of_transfer" ON "network_fees" USING btree ("transfer_id");--> statement-breakpoint
CREATE INDEX "topups_ambiguous" ON "topups" USING btree ("ambiguous_since") WHERE ambiguous_since is not null;--> statement-breakpoint
CREATE INDEX "transfers_block" ON "transfers" USING btree ("chain","block_number");--> statement-breakpoint
CREATE INDEX "withdrawals_ambiguous" ON "withdrawals" USING btree ("ambiguous_since") WHERE ambiguous_since is not null;--> statement-breakpoint
ALTER TABLE "topups" ADD CONSTRAINT "topups_due_where_we_act" CHECK (("topups"."due_at" is not null) = ("topups"."step" = 'collecting' and "topups"."ambiguous_since" is null));--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_due_where_we_act" CHECK (("withdrawals"."due_at" is not null) = ("withdrawals"."step" = 'reserved' or "withdrawals"."step" = 'paying_out' and "withdrawals"."ambiguous_since" is null));