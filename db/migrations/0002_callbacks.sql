CREATE TABLE "paused_receivers" (
	"partner_id" uuid,
	"origin" text NOT NULL,
	"reason" text NOT NULL,
	"paused_at" timestamp (3) with time zone NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" text,
	CONSTRAINT "paused_receivers_once" UNIQUE NULLS NOT DISTINCT("partner_id","origin")
);
--> statement-breakpoint
ALTER TABLE "callback_attempts" ALTER COLUMN "number" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "callbacks" ADD COLUMN "extra_attempt_id" text;--> statement-breakpoint
ALTER TABLE "callbacks" ADD COLUMN "extra_asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "callbacks" ADD COLUMN "failing_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "paused_receivers" ADD CONSTRAINT "paused_receivers_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "callbacks_extra" ON "callbacks" USING btree ("lane","extra_asked_at") WHERE extra_attempt_id is not null;--> statement-breakpoint
CREATE INDEX "callbacks_failing" ON "callbacks" USING btree ("partner_id","failing_since") WHERE failing_since is not null;--> statement-breakpoint
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_extra_is_asked" CHECK (("callbacks"."extra_attempt_id" is null) = ("callbacks"."extra_asked_at" is null));