-- Reads each row once, without a lock that anybody waits for.
ALTER TABLE "settlements" VALIDATE CONSTRAINT "settlements_sound";
--> statement-breakpoint
ALTER TABLE "transfers" VALIDATE CONSTRAINT "transfers_sound";
