ALTER TABLE "topups" ADD COLUMN "provider" text DEFAULT 'fiat' NOT NULL;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "provider" text DEFAULT 'fiat' NOT NULL;