CREATE TABLE "proposals" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"body" jsonb NOT NULL,
	"reason" text,
	"proposer_type" text NOT NULL,
	"proposer_id" uuid NOT NULL,
	"proposer_name" text NOT NULL,
	"proposed_at" timestamp (3) with time zone NOT NULL,
	"decider_type" text,
	"decider_id" uuid,
	"decider_name" text,
	"decided_at" timestamp (3) with time zone,
	"outcome" text DEFAULT 'open' NOT NULL,
	CONSTRAINT "proposals_are_open_or_decided" CHECK (("proposals"."outcome" = 'open') = ("proposals"."decided_at" is null) and ("proposals"."outcome" = 'open') = ("proposals"."decider_type" is null)
        and ("proposals"."decider_type" is null) = ("proposals"."decider_id" is null) and ("proposals"."decider_type" is null) = ("proposals"."decider_name" is null))
);
--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "by_code" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "made_by" uuid;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "rotated_from" uuid;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "stepped_up_by_code" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_open" ON "proposals" USING btree ("kind","subject") WHERE outcome = 'open';--> statement-breakpoint
CREATE INDEX "proposals_proposed_at_index" ON "proposals" USING btree ("proposed_at");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_rotated_from_api_keys_id_fk" FOREIGN KEY ("rotated_from") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_rotated_from_index" ON "api_keys" USING btree ("rotated_from");