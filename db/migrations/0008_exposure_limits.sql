CREATE TABLE "exposure_counters" (
	"limit_id" text NOT NULL,
	"counter" text NOT NULL,
	"begins" timestamp (3) with time zone NOT NULL,
	"amount_atto" numeric(78, 0) NOT NULL,
	CONSTRAINT "exposure_counters_limit_id_counter_begins_pk" PRIMARY KEY("limit_id","counter","begins")
);
--> statement-breakpoint
CREATE TABLE "exposure_limits" (
	"id" text NOT NULL,
	"version" integer NOT NULL,
	"kind" text NOT NULL,
	"mode" text NOT NULL,
	"partner_id" uuid,
	"source_currency" text,
	"destination_currency" text,
	"chain" text,
	"counted_by" text,
	"window_seconds" integer,
	"amount_atto" numeric(78, 0),
	"times_maximum" integer,
	"wait_seconds" integer,
	"addresses" text[],
	"reason" text NOT NULL,
	"made_by" text,
	"made_at" timestamp (3) with time zone NOT NULL,
	"replaced_at" timestamp (3) with time zone,
	CONSTRAINT "exposure_limits_id_version_pk" PRIMARY KEY("id","version"),
	CONSTRAINT "exposure_limits_kind" CHECK ("exposure_limits"."kind" ~ '^[a-z_]+$'),
	CONSTRAINT "exposure_limits_mode" CHECK ("exposure_limits"."mode" in ('enforce', 'dry_run', 'off'))
);
--> statement-breakpoint
CREATE TABLE "payment_holds" (
	"id" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"owner_id" text NOT NULL,
	"partner_id" uuid,
	"check" text NOT NULL,
	"verdict_id" text NOT NULL,
	"keys" text[] NOT NULL,
	"reason" text NOT NULL,
	"held_at" timestamp (3) with time zone NOT NULL,
	"outcome" text DEFAULT 'open' NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decider_type" text,
	"decider_id" uuid,
	"decider_name" text,
	"decision_reason" text,
	CONSTRAINT "payment_holds_check" CHECK ("payment_holds"."check" ~ '^[a-z_]+$'),
	CONSTRAINT "payment_holds_outcome" CHECK ("payment_holds"."outcome" in ('open', 'released', 'refused', 'ended')),
	CONSTRAINT "payment_holds_decided" CHECK (("payment_holds"."outcome" = 'open') = ("payment_holds"."decided_at" is null)),
	CONSTRAINT "payment_holds_decider" CHECK (("payment_holds"."outcome" in ('released', 'refused')) = ("payment_holds"."decider_type" is not null)
        and ("payment_holds"."decider_type" is null) = ("payment_holds"."decider_id" is null) and ("payment_holds"."decider_type" is null) = ("payment_holds"."decider_name" is null)
        and ("payment_holds"."decider_type" is null) = ("payment_holds"."decision_reason" is null))
);
--> statement-breakpoint
CREATE TABLE "payment_verdicts" (
	"id" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"owner_id" text NOT NULL,
	"partner_id" uuid,
	"check" text NOT NULL,
	"stage" text NOT NULL,
	"outcome" text NOT NULL,
	"findings" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_verdicts_check" CHECK ("payment_verdicts"."check" ~ '^[a-z_]+$'),
	CONSTRAINT "payment_verdicts_stage" CHECK ("payment_verdicts"."stage" in ('quote', 'confirm', 'sign', 'release')),
	CONSTRAINT "payment_verdicts_outcome" CHECK ("payment_verdicts"."outcome" in ('pass', 'hold'))
);
--> statement-breakpoint
ALTER TABLE "lane_halts" DROP CONSTRAINT "lane_halts_kind";--> statement-breakpoint
ALTER TABLE "exposure_limits" ADD CONSTRAINT "exposure_limits_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_holds" ADD CONSTRAINT "payment_holds_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_holds" ADD CONSTRAINT "payment_holds_verdict_id_payment_verdicts_id_fk" FOREIGN KEY ("verdict_id") REFERENCES "public"."payment_verdicts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_verdicts" ADD CONSTRAINT "payment_verdicts_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "exposure_counters_begins" ON "exposure_counters" USING btree ("begins");--> statement-breakpoint
CREATE UNIQUE INDEX "exposure_limits_in_force" ON "exposure_limits" USING btree ("id") WHERE replaced_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_holds_open" ON "payment_holds" USING btree ("owner_id","purpose","check") WHERE outcome = 'open';--> statement-breakpoint
CREATE INDEX "payment_holds_of" ON "payment_holds" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "payment_holds_waiting" ON "payment_holds" USING btree ("held_at") WHERE outcome = 'open';--> statement-breakpoint
CREATE INDEX "payment_verdicts_of" ON "payment_verdicts" USING btree ("owner_id","at");--> statement-breakpoint
ALTER TABLE "lane_halts" ADD CONSTRAINT "lane_halts_kind" CHECK ("lane_halts"."lane_kind" in ('wallet', 'chain', 'provider', 'partner', 'pair', 'all'));
--> statement-breakpoint
create trigger append_only before update or delete on payment_verdicts for each row execute function refuse_change();
--> statement-breakpoint
-- A hold is decided once, and otherwise never changes.
create function refuse_other_decision() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.outcome <> 'open' or new.outcome = 'open'
    or to_jsonb(new) - array['outcome', 'decided_at', 'decider_type', 'decider_id', 'decider_name', 'decision_reason']
      is distinct from to_jsonb(old) - array['outcome', 'decided_at', 'decider_type', 'decider_id', 'decider_name', 'decision_reason'] then
    raise exception 'payment_holds are decided once and never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
--> statement-breakpoint
create trigger decided_once before update or delete on payment_holds for each row execute function refuse_other_decision();
--> statement-breakpoint
-- What a limit says never changes: another version takes its place, once.
create function refuse_other_limit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.replaced_at is not null or new.replaced_at is null
    or to_jsonb(new) - 'replaced_at' is distinct from to_jsonb(old) - 'replaced_at' then
    raise exception 'exposure_limits is append only' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
--> statement-breakpoint
create trigger append_only before update or delete on exposure_limits for each row execute function refuse_other_limit();
