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
ALTER TABLE "transfer_proofs" ADD CONSTRAINT "transfer_proofs_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;