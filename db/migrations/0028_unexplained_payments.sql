CREATE TABLE "unexplained_payments" (
	"chain" text NOT NULL,
	"hash" text NOT NULL,
	"place" smallint NOT NULL,
	"wallet" text NOT NULL,
	"nonce" bigint NOT NULL,
	"height" bigint NOT NULL,
	"token" text,
	"sender" text NOT NULL,
	"recipient" text NOT NULL,
	"amount_base" numeric(78, 0) NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "unexplained_payments_chain_hash_place_pk" PRIMARY KEY("chain","hash","place")
);
--> statement-breakpoint
CREATE INDEX "unexplained_payments_to" ON "unexplained_payments" USING btree ("chain","recipient");--> statement-breakpoint
CREATE INDEX "unexplained_payments_from" ON "unexplained_payments" USING btree ("chain","sender");