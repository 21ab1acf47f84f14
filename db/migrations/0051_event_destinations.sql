CREATE TABLE "event_destinations" (
	"id" text PRIMARY KEY NOT NULL,
	"partner_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"type" text NOT NULL,
	"url" text NOT NULL,
	"sealed_url" text,
	"sealed_secret" text NOT NULL,
	"types" jsonb NOT NULL,
	"audiences" jsonb NOT NULL,
	"description" text NOT NULL,
	"status" text NOT NULL,
	"epoch" integer NOT NULL,
	"position" bigint NOT NULL,
	"version" integer NOT NULL,
	"event_id" text NOT NULL,
	"ahead" jsonb NOT NULL,
	"failures" integer NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"last_error" text,
	"last_delivered_at" timestamp (3) with time zone,
	"paused_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"test" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"lease_token" uuid
);
--> statement-breakpoint
ALTER TABLE "event_destinations" ADD CONSTRAINT "event_destinations_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_destinations" ADD CONSTRAINT "event_destinations_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "event_destinations_of_partner" ON "event_destinations" USING btree ("partner_id","id");