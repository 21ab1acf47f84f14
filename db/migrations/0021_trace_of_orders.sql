ALTER TABLE "topups" ADD COLUMN "trace" text;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "trace" text;--> statement-breakpoint
ALTER TABLE "safe_deployments" ADD COLUMN "trace" text;