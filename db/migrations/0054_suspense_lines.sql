CREATE TABLE "suspense_lines" (
	"chain" text NOT NULL,
	"hash" text NOT NULL,
	"place" smallint NOT NULL,
	"holder" text NOT NULL,
	"direction" text NOT NULL,
	"currency" text NOT NULL,
	"decimals" smallint NOT NULL,
	"token" text,
	"sender" text NOT NULL,
	"recipient" text NOT NULL,
	"amount_base" numeric(78, 0) NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"state" text NOT NULL,
	"bookings" integer DEFAULT 0 NOT NULL,
	"resolution" text,
	"proposal_id" text,
	"found_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	CONSTRAINT "suspense_lines_chain_hash_place_holder_pk" PRIMARY KEY("chain","hash","place","holder"),
	CONSTRAINT "suspense_lines_amount" CHECK ("suspense_lines"."amount_base" > 0),
	CONSTRAINT "suspense_lines_resolved" CHECK (("suspense_lines"."resolution" is null) = ("suspense_lines"."resolved_at" is null))
);
--> statement-breakpoint
CREATE TABLE "treasury_books" (
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"height" bigint NOT NULL,
	"begun_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "treasury_books_chain_currency_pk" PRIMARY KEY("chain","currency")
);
--> statement-breakpoint
CREATE TABLE "treasury_cursors" (
	"chain" text NOT NULL,
	"holder" text NOT NULL,
	"height" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "treasury_cursors_chain_holder_pk" PRIMARY KEY("chain","holder")
);
--> statement-breakpoint
CREATE INDEX "suspense_lines_open" ON "suspense_lines" USING btree ("chain","found_at") WHERE resolution is null and state <> 'gone';--> statement-breakpoint
CREATE INDEX "suspense_lines_newest" ON "suspense_lines" USING btree ("chain","block_number");