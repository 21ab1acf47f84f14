CREATE TABLE "signing_journal" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"installation" text NOT NULL,
	"begun_at" timestamp (3) with time zone,
	"records" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "signing_journal_only" CHECK ("signing_journal"."is_only")
);
