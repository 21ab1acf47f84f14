ALTER TABLE "chain_heads" ADD COLUMN "outflow_height" bigint;--> statement-breakpoint
ALTER TABLE "chain_heads" ADD COLUMN "outflow_hash" text;