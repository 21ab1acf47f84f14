CREATE TABLE "notification_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"state" text NOT NULL,
	"due_at" timestamp (3) with time zone,
	"tries" integer NOT NULL,
	"trouble" text,
	"lease_until" timestamp (3) with time zone,
	"lease_token" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "notification_messages_end" CHECK (("notification_messages"."state" in ('open', 'sending')) = ("notification_messages"."due_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "notification_rules" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"console" boolean NOT NULL,
	"mail" boolean NOT NULL,
	"webhook" boolean NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notification_rules_user_id_kind_pk" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
CREATE TABLE "notification_settings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"sealed_webhook_url" text,
	"webhook_host" text,
	"digest" text NOT NULL,
	"quiet_from" smallint,
	"quiet_to" smallint,
	"zone" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"partner_id" uuid,
	"kind" text NOT NULL,
	"fact" text NOT NULL,
	"subject_id" text NOT NULL,
	"detail" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"in_console" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	"planned_at" timestamp (3) with time zone,
	"mail_id" uuid,
	"webhook_id" uuid
);
--> statement-breakpoint
ALTER TABLE "notification_messages" ADD CONSTRAINT "notification_messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_rules" ADD CONSTRAINT "notification_rules_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_mail_id_notification_messages_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."notification_messages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_webhook_id_notification_messages_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."notification_messages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "notification_messages_open" ON "notification_messages" USING btree ("user_id","channel") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "notification_messages_due" ON "notification_messages" USING btree ("channel","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "notification_messages_ended" ON "notification_messages" USING btree ("ended_at") WHERE ended_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_once" ON "notifications" USING btree ("user_id","fact");--> statement-breakpoint
CREATE INDEX "notifications_newest" ON "notifications" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("user_id") WHERE read_at is null and in_console;--> statement-breakpoint
CREATE INDEX "notifications_unplanned" ON "notifications" USING btree ("created_at") WHERE planned_at is null;--> statement-breakpoint
CREATE INDEX "notifications_mail" ON "notifications" USING btree ("mail_id");--> statement-breakpoint
CREATE INDEX "notifications_webhook" ON "notifications" USING btree ("webhook_id");--> statement-breakpoint
CREATE INDEX "notifications_age" ON "notifications" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "notifications_partner_id_index" ON "notifications" USING btree ("partner_id");