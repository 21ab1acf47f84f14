ALTER TABLE "pair_terms" VALIDATE CONSTRAINT "pair_terms_batch_maximum";
--> statement-breakpoint
ALTER TABLE "settlements" VALIDATE CONSTRAINT "settlements_confirmed_is_complete";
