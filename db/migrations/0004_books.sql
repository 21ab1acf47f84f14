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
ALTER TABLE "transfer_proofs" ADD CONSTRAINT "transfer_proofs_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "topups_ambiguous" ON "topups" USING btree ("ambiguous_since") WHERE ambiguous_since is not null;--> statement-breakpoint
CREATE INDEX "withdrawals_ambiguous" ON "withdrawals" USING btree ("ambiguous_since") WHERE ambiguous_since is not null;--> statement-breakpoint
ALTER TABLE "topups" ADD CONSTRAINT "topups_due_where_we_act" CHECK (("topups"."due_at" is not null) = ("topups"."step" = 'collecting' and "topups"."ambiguous_since" is null));--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_due_where_we_act" CHECK (("withdrawals"."due_at" is not null) = ("withdrawals"."step" = 'reserved' or "withdrawals"."step" = 'paying_out' and "withdrawals"."ambiguous_since" is null));