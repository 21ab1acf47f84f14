CREATE TABLE "screening_settings" (
	"since" timestamp (3) with time zone PRIMARY KEY NOT NULL,
	"is_on" boolean NOT NULL,
	"sources" text[] NOT NULL
);
--> statement-breakpoint
create trigger append_only before update or delete on screening_settings for each row execute function refuse_change();
