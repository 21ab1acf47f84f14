CREATE TABLE "approval_demands" (
	"settlement_id" text PRIMARY KEY NOT NULL,
	"partner_id" uuid NOT NULL,
	"policy_id" text NOT NULL,
	"rule_id" text NOT NULL,
	"approvals" smallint NOT NULL,
	"hints" text[] NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "approval_demands_approvals" CHECK ("approval_demands"."approvals" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "approval_policies" (
	"id" text PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"rules" jsonb NOT NULL,
	"hints" text[] NOT NULL,
	"reason" text NOT NULL,
	"made_by" text,
	"made_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "approval_policies_version" UNIQUE("version"),
	CONSTRAINT "approval_policies_counts" CHECK ("approval_policies"."version" >= 1),
	CONSTRAINT "approval_policies_rules" CHECK (jsonb_typeof("approval_policies"."rules") = 'array')
);
--> statement-breakpoint
ALTER TABLE "approval_demands" ADD CONSTRAINT "approval_demands_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_demands" ADD CONSTRAINT "approval_demands_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_demands" ADD CONSTRAINT "approval_demands_policy_id_approval_policies_id_fk" FOREIGN KEY ("policy_id") REFERENCES "public"."approval_policies"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
create trigger append_only before update or delete on approval_policies for each row execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on approval_demands for each row execute function refuse_change();
