ALTER TABLE "notifications" ADD COLUMN "follow_up" text;
