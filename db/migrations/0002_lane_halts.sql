CREATE TABLE "lane_halts" (
	"id" text PRIMARY KEY NOT NULL,
	"lane_kind" text NOT NULL,
	"lane_key" text NOT NULL,
	"cause" text NOT NULL,
	"detail" text NOT NULL,
	"evidence" jsonb NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"halted_by" text,
	"lifted_at" timestamp (3) with time zone,
	"lifted_by" text,
	"lift_confirmed_by" text,
	"lift_reason" text,
	CONSTRAINT "lane_halts_kind" CHECK ("lane_halts"."lane_kind" in ('wallet', 'chain', 'provider', 'partner')),
	CONSTRAINT "lane_halts_cause" CHECK ("lane_halts"."cause" ~ '^[a-z_]+$'),
	CONSTRAINT "lane_halts_lifted" CHECK (("lane_halts"."lifted_at" is null) = ("lane_halts"."lifted_by" is null) and ("lane_halts"."lifted_at" is null) = ("lane_halts"."lift_reason" is null)),
	CONSTRAINT "lane_halts_two_people" CHECK ("lane_halts"."lift_confirmed_by" is null or "lane_halts"."lift_confirmed_by" <> "lane_halts"."lifted_by")
);
--> statement-breakpoint
ALTER TABLE "wallets" ALTER COLUMN "paused" SET DEFAULT false;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "state" text DEFAULT 'active' NOT NULL;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "aligned_height" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "lane_halts_open" ON "lane_halts" USING btree ("lane_kind","lane_key") WHERE lifted_at is null;--> statement-breakpoint
CREATE INDEX "lane_halts_lane" ON "lane_halts" USING btree ("lane_kind","lane_key","since");--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_state" CHECK ("wallets"."state" in ('active', 'draining', 'retired', 'compromised'));