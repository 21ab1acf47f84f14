-- What these said, the new checks say alone from here on, also to the version before.
ALTER TABLE "settlements" DROP CONSTRAINT "settlements_adds_up";--> statement-breakpoint
ALTER TABLE "settlements" DROP CONSTRAINT "settlements_pays_something";--> statement-breakpoint
ALTER TABLE "settlements" DROP CONSTRAINT "settlements_legal_pair";--> statement-breakpoint
ALTER TABLE "settlements" DROP CONSTRAINT "settlements_executed_has_hash";--> statement-breakpoint
ALTER TABLE "settlements" DROP CONSTRAINT "settlements_failed_has_reason";--> statement-breakpoint
ALTER TABLE "settlements" DROP CONSTRAINT "settlements_confirmed_is_complete";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_amount";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_call";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_final";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_executed";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_waiting";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_adrift";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_failed";
