CREATE TABLE "provider_balances" (
	"currency" text PRIMARY KEY NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"balance_minor" bigint,
	"difference_minor" bigint,
	"differs_since" timestamp (3) with time zone,
	"problem" text
);
--> statement-breakpoint
ALTER TABLE "provider_balances" ADD CONSTRAINT "provider_balances_currency_fiat_pools_currency_fk" FOREIGN KEY ("currency") REFERENCES "public"."fiat_pools"("currency") ON DELETE no action ON UPDATE no action;