ALTER TABLE "topups" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "settlement_batches" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "failed_at" timestamp (3) with time zone;