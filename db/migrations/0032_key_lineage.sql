ALTER TABLE "api_keys" ADD COLUMN "signed_reads" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "made_by_key" uuid;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_made_by_key_api_keys_id_fk" FOREIGN KEY ("made_by_key") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action NOT VALID;
