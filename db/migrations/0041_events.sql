CREATE TABLE "event_counters" (
	"object_id" text NOT NULL,
	"partner_id" uuid NOT NULL,
	"recorded" integer NOT NULL,
	"position" bigint NOT NULL,
	CONSTRAINT "event_counters_partner_id_object_id_pk" PRIMARY KEY("partner_id","object_id")
);
--> statement-breakpoint
CREATE TABLE "event_epochs" (
	"epoch" integer PRIMARY KEY NOT NULL,
	"line" text NOT NULL,
	"began" bigint NOT NULL,
	"marked" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_floors" (
	"partner_id" uuid PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"version" integer NOT NULL,
	"event_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" text PRIMARY KEY NOT NULL,
	"partner_id" uuid NOT NULL,
	"position" bigint NOT NULL,
	"version" integer NOT NULL,
	"object_type" text NOT NULL,
	"object_id" text NOT NULL,
	"type" text NOT NULL,
	"audience" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"data" json NOT NULL
);
--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "events_recorded" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "events_position" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "events_in_order" ON "events" USING btree ("partner_id","position");
--> statement-breakpoint
-- A payment is held and released by whoever may not write its settlement: this counts an event of it, and changes nothing else.
CREATE FUNCTION count_settlement_events(ids text[]) RETURNS TABLE (object_id text, partner_id uuid, version integer, "position" bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
begin
  return query update settlements s set events_recorded = s.events_recorded + 1,
      events_position = greatest(s.events_position, pg_current_xact_id()::text::bigint)
    where s.id = any(ids) and coalesce(s.partner_id = nullif(current_setting('service.partner', true), '')::uuid, true)
    returning s.id, s.partner_id, s.events_recorded, s.events_position;
end
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION count_settlement_events(text[]) FROM PUBLIC;
