CREATE TABLE "brought_safes" (
	"chain" text NOT NULL,
	"address" text NOT NULL,
	"is_ours" boolean NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "brought_safes_chain_address_pk" PRIMARY KEY("chain","address")
);
