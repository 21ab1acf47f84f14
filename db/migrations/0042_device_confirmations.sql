ALTER TABLE "users" ADD COLUMN "device_confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "device_confirmed_by" uuid;--> statement-breakpoint
-- Whoever decides at the moment has been at it under everybody's eyes.
UPDATE "users" SET "device_confirmed_at" = now() WHERE "role" IN ('admin', 'approver')
  AND ("sealed_totp_secret" IS NOT NULL OR EXISTS (SELECT FROM "passkeys" WHERE "passkeys"."user_id" = "users"."id"));
