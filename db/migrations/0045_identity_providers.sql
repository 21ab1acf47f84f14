CREATE TABLE "directory_groups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider_id" uuid NOT NULL,
	"external_id" text,
	"display_name" text NOT NULL,
	"members" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider_id" uuid NOT NULL,
	"external_id" text,
	"user_name" text NOT NULL,
	"attributes" jsonb NOT NULL,
	"active" boolean NOT NULL,
	"shut_out_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "identity_providers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"partner_id" uuid,
	"slug" text NOT NULL,
	"settings" jsonb,
	"sealed_client_secret" text,
	"draft" jsonb,
	"sealed_draft_secret" text,
	"drafted_by" uuid,
	"drafted_at" timestamp (3) with time zone,
	"directory_token_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "identity_providers_slug_unique" UNIQUE("slug"),
	CONSTRAINT "identity_providers_directoryTokenHash_unique" UNIQUE("directory_token_hash"),
	CONSTRAINT "identity_providers_have_a_slug" CHECK ("identity_providers"."slug" ~ '^[a-z0-9][a-z0-9-]{1,39}$'),
	CONSTRAINT "identity_providers_name_who_drafts" CHECK (("identity_providers"."draft" is null) = ("identity_providers"."drafted_by" is null) and ("identity_providers"."draft" is null) = ("identity_providers"."drafted_at" is null))
);
--> statement-breakpoint
CREATE TABLE "identity_requests" (
	"secret_hash" text PRIMARY KEY NOT NULL,
	"provider_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"session_id" uuid,
	"target" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identity_requests_name_their_session" CHECK (("identity_requests"."session_id" is null) = ("identity_requests"."purpose" = 'sign_in'))
);
--> statement-breakpoint
CREATE TABLE "provider_sign_outs" (
	"provider_id" uuid NOT NULL,
	"jti" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "provider_sign_outs_provider_id_jti_pk" PRIMARY KEY("provider_id","jti")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "identity_id" uuid;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "provider_sid" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "proven_by_provider" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "directory_groups" ADD CONSTRAINT "directory_groups_provider_id_identity_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."identity_providers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_users" ADD CONSTRAINT "directory_users_provider_id_identity_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."identity_providers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_provider_id_identity_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."identity_providers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_providers" ADD CONSTRAINT "identity_providers_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_providers" ADD CONSTRAINT "identity_providers_drafted_by_users_id_fk" FOREIGN KEY ("drafted_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_requests" ADD CONSTRAINT "identity_requests_provider_id_identity_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."identity_providers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_sign_outs" ADD CONSTRAINT "provider_sign_outs_provider_id_identity_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."identity_providers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "directory_groups_by_name" ON "directory_groups" USING btree ("provider_id","display_name");--> statement-breakpoint
CREATE UNIQUE INDEX "directory_users_by_subject" ON "directory_users" USING btree ("provider_id","external_id");--> statement-breakpoint
CREATE UNIQUE INDEX "directory_users_by_name" ON "directory_users" USING btree ("provider_id",lower("user_name"));--> statement-breakpoint
CREATE UNIQUE INDEX "identities_are_one_person" ON "identities" USING btree ("issuer","subject");--> statement-breakpoint
CREATE INDEX "identities_user_id_index" ON "identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "identity_providers_partner_id_index" ON "identity_providers" USING btree ("partner_id");--> statement-breakpoint
CREATE INDEX "identity_requests_expires_at_index" ON "identity_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "provider_sign_outs_expires_at_index" ON "provider_sign_outs" USING btree ("expires_at");