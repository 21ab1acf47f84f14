ALTER TABLE "withdrawals" ADD COLUMN "payee_approved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "payee_approved_by" uuid;
