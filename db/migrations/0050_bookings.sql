CREATE TABLE "bookings" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"partner_id" uuid,
	"currency" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"reference" text NOT NULL,
	"order_id" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	"booked_at" timestamp (3) with time zone NOT NULL,
	"reversed_at" timestamp (3) with time zone,
	CONSTRAINT "bookings_amount" CHECK ("bookings"."amount_minor" > 0),
	CONSTRAINT "bookings_partner" CHECK (("bookings"."kind" in ('partner_payment', 'partner_payout', 'late_credit')) = ("bookings"."partner_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bookings_once" ON "bookings" USING btree ("kind","reference") WHERE reversed_at is null;--> statement-breakpoint
CREATE INDEX "bookings_of_partner" ON "bookings" USING btree ("partner_id","id") WHERE partner_id is not null;