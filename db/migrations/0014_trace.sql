ALTER TABLE "callbacks" ADD COLUMN "trace" text;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "trace" text;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "trace" text;
