ALTER TABLE "idempotency_keys" ADD COLUMN "sealed_body" text;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "waiting_kind" text;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "waiting_since" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "transfers_promised" ON "transfers" USING btree ("chain","currency","block_number","state","amount_base") WHERE state <> 'failed' and call_data is null;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_waiting" CHECK ("transfers"."waiting_kind" is null or "transfers"."waiting_kind" in ('treasury_funding', 'chain_unavailable', 'review', 'hold'));