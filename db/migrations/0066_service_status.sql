CREATE TABLE "status_days" (
	"day" date NOT NULL,
	"surface" text NOT NULL,
	"operational_ms" integer NOT NULL,
	"degraded_ms" integer NOT NULL,
	"down_ms" integer NOT NULL,
	"covered_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "status_days_day_surface_pk" PRIMARY KEY("day","surface")
);
--> statement-breakpoint
CREATE TABLE "status_incidents" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"cause" text NOT NULL,
	"chain" text,
	"impairs" jsonb NOT NULL,
	"began_at" timestamp (3) with time zone NOT NULL,
	"seen_until" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "status_notes" (
	"incident_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "status_notes_incident_id_at_pk" PRIMARY KEY("incident_id","at")
);
--> statement-breakpoint
ALTER TABLE "status_notes" ADD CONSTRAINT "status_notes_incident_id_status_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."status_incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "status_incidents_open" ON "status_incidents" USING btree ("key") WHERE ended_at is null;