-- In a migration of its own: it reads the rows without keeping anybody from writing.
ALTER TABLE "notification_settings" VALIDATE CONSTRAINT "notification_settings_substitute_id_users_id_fk";
