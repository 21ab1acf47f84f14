CREATE TABLE "adrift_places" (
	"transaction_id" text PRIMARY KEY NOT NULL,
	"transfer_id" text NOT NULL,
	"wallet_id" uuid NOT NULL,
	"since" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "adrift_places" ADD CONSTRAINT "adrift_places_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adrift_places" ADD CONSTRAINT "adrift_places_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adrift_places" ADD CONSTRAINT "adrift_places_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "adrift_places_transfer" ON "adrift_places" USING btree ("transfer_id");--> statement-breakpoint
CREATE INDEX "adrift_places_wallet" ON "adrift_places" USING btree ("wallet_id");