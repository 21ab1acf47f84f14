CREATE TABLE "attestations" (
	"day" text PRIMARY KEY NOT NULL,
	"content" text NOT NULL,
	"hash" text NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "attestations_day" CHECK ("attestations"."day" ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
	CONSTRAINT "attestations_hash" CHECK ("attestations"."hash" ~ '^[0-9a-f]{64}$')
);

--> statement-breakpoint
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "attestations" FOR EACH ROW EXECUTE FUNCTION refuse_change();
