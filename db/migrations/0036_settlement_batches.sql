CREATE TABLE "settlement_batches" (
	"id" text PRIMARY KEY NOT NULL,
	"partner_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"external_batch_id" text NOT NULL,
	"body_sha256" text NOT NULL,
	"status" text NOT NULL,
	"item_count" integer NOT NULL,
	"callback_url" text,
	"trace" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "settlement_batches_item_count" CHECK ("settlement_batches"."item_count" between 1 and 500),
	CONSTRAINT "settlement_batches_confirmed" CHECK (("settlement_batches"."status" in ('processing', 'completed')) = ("settlement_batches"."confirmed_at" is not null)),
	CONSTRAINT "settlement_batches_cancelled" CHECK (("settlement_batches"."status" = 'cancelled') = ("settlement_batches"."cancelled_at" is not null)),
	CONSTRAINT "settlement_batches_completed" CHECK (("settlement_batches"."status" = 'completed') = ("settlement_batches"."completed_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "settlements" DROP CONSTRAINT "settlements_confirmed_is_complete";--> statement-breakpoint
ALTER TABLE "pair_terms" ADD COLUMN "batch_maximum_source_minor" bigint;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "batch_id" text;--> statement-breakpoint
ALTER TABLE "settlement_batches" ADD CONSTRAINT "settlement_batches_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_batches" ADD CONSTRAINT "settlement_batches_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "settlement_batches_newest" ON "settlement_batches" USING btree ("partner_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "settlement_batches_external_id" ON "settlement_batches" USING btree ("partner_id","external_batch_id");--> statement-breakpoint
ALTER TABLE "pair_terms" ADD CONSTRAINT "pair_terms_batch_maximum" CHECK ("pair_terms"."batch_maximum_source_minor" >= "pair_terms"."maximum_source_minor") NOT VALID;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_confirmed_is_complete" CHECK (("settlements"."status" in ('processing', 'executed', 'failed')) = ("settlements"."confirmed_at" is not null)
        and ("settlements"."confirmed_at" is null or "settlements"."external_tx_id" is not null)
        and ("settlements"."external_tx_id" is null or "settlements"."confirmed_at" is not null or "settlements"."batch_id" is not null)
        and ("settlements"."callback_url" is null or "settlements"."confirmed_at" is not null)
        and ("settlements"."confirmed_at" is null or "settlements"."callback_url" is not null or "settlements"."batch_id" is not null)) NOT VALID;