ALTER TABLE "transactions" DROP CONSTRAINT "transactions_transferId_unique";--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "superseded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "adrift_since" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_standing" ON "transactions" USING btree ("transfer_id") WHERE superseded_at is null;--> statement-breakpoint
CREATE INDEX "transactions_superseded" ON "transactions" USING btree ("transfer_id") WHERE superseded_at is not null;--> statement-breakpoint
CREATE INDEX "transfers_blocks" ON "transfers" USING btree ("chain","block_number");--> statement-breakpoint
CREATE INDEX "transfers_adrift" ON "transfers" USING btree ("chain") WHERE adrift_since is not null;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_adrift" CHECK ("transfers"."adrift_since" is null or "transfers"."state" = 'executed');