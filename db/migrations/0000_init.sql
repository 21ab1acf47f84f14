CREATE TABLE "access_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "access_tokens_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"partner_id" uuid,
	"name" text NOT NULL,
	"key_hash" text NOT NULL,
	"last_four" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"scopes" text[] NOT NULL,
	"allowed_ips" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"last_used_address" text,
	CONSTRAINT "api_keys_keyHash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "api_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"partner_id" uuid,
	"api_key_id" uuid,
	"user_id" uuid,
	"surface" text NOT NULL,
	"operation" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"query" text NOT NULL,
	"status" integer NOT NULL,
	"code" text,
	"duration_ms" real NOT NULL,
	"address" text NOT NULL,
	"replayed" boolean NOT NULL,
	"settlement_id" text,
	"refused" jsonb,
	"refused_body" "bytea"
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"partner_id" uuid,
	"actor_type" text NOT NULL,
	"actor_id" text,
	"action" text NOT NULL,
	"object_id" text NOT NULL,
	"reason" text,
	"change" jsonb NOT NULL,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "audit_seals" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"entry_id" text NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL,
	"complete_at" timestamp (3) with time zone,
	"hash" text NOT NULL,
	CONSTRAINT "audit_seals_entryId_unique" UNIQUE("entry_id")
);
--> statement-breakpoint
CREATE TABLE "audit_unsealed" (
	"entry_id" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"user_id" uuid,
	"seq" bigint NOT NULL,
	"hash" text NOT NULL,
	"duration_ms" integer NOT NULL,
	"flaws" integer NOT NULL,
	"named" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "business_clock" (
	"only_row" boolean PRIMARY KEY NOT NULL,
	"offset_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "callback_attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"callback_id" text NOT NULL,
	"series" integer NOT NULL,
	"number" integer NOT NULL,
	"scheduled_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"duration_ms" integer,
	"request_headers" jsonb,
	"response_status" integer,
	"response_headers" jsonb,
	"response_body" text,
	"response_bytes" integer,
	"timings" jsonb,
	"error_kind" text,
	"error" text,
	"remote_address" text,
	CONSTRAINT "callback_attempts_once" UNIQUE("callback_id","series","number"),
	CONSTRAINT "callback_attempts_number" CHECK ("callback_attempts"."number" between 1 and 6)
);
--> statement-breakpoint
CREATE TABLE "callback_secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"partner_id" uuid NOT NULL,
	"sealed_secret" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "callbacks" (
	"id" text PRIMARY KEY NOT NULL,
	"partner_id" uuid NOT NULL,
	"subject_id" text NOT NULL,
	"api_key_id" uuid NOT NULL,
	"event" text NOT NULL,
	"url" text NOT NULL,
	"lane" text NOT NULL,
	"body" text NOT NULL,
	"state" text NOT NULL,
	"series" integer NOT NULL,
	"next_number" integer NOT NULL,
	"due_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"lease_token" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"delivered_at" timestamp (3) with time zone,
	"undelivered_at" timestamp (3) with time zone,
	CONSTRAINT "callbacks_pending_is_due" CHECK (("callbacks"."state" = 'pending') = ("callbacks"."due_at" is not null)),
	CONSTRAINT "callbacks_six_attempts" CHECK ("callbacks"."next_number" between 1 and 6)
);
--> statement-breakpoint
CREATE TABLE "chain_cursors" (
	"chain" text NOT NULL,
	"height" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "chain_cursors_chain_height_pk" PRIMARY KEY("chain","height")
);
--> statement-breakpoint
CREATE TABLE "chain_heads" (
	"chain" text PRIMARY KEY NOT NULL,
	"height" bigint,
	"block_at" timestamp (3) with time zone,
	"base_fee_per_gas" numeric(78, 0),
	"tip_per_gas" numeric(78, 0),
	"seen_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"nodes_up" integer NOT NULL,
	"nodes_total" integer NOT NULL,
	"trouble" text
);
--> statement-breakpoint
CREATE TABLE "exchange_rates" (
	"source_currency" text NOT NULL,
	"destination_currency" text NOT NULL,
	"mid_rate" numeric NOT NULL,
	"source" text NOT NULL,
	"as_of" timestamp (3) with time zone NOT NULL,
	"stale_at" timestamp (3) with time zone,
	CONSTRAINT "exchange_rates_source_currency_destination_currency_pk" PRIMARY KEY("source_currency","destination_currency")
);
--> statement-breakpoint
CREATE TABLE "fiat_pools" (
	"currency" text PRIMARY KEY NOT NULL,
	"total_minor" bigint NOT NULL,
	"minimum_minor" bigint NOT NULL,
	"maximum_minor" bigint NOT NULL,
	"low_water_minor" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "fiat_pools_total" CHECK ("fiat_pools"."total_minor" >= 0),
	CONSTRAINT "fiat_pools_limits" CHECK (1 <= "fiat_pools"."minimum_minor" and "fiat_pools"."minimum_minor" <= "fiat_pools"."maximum_minor")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"partner_id" uuid NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"key" text NOT NULL,
	"body_sha256" text NOT NULL,
	"response_status" integer NOT NULL,
	"response_headers" text NOT NULL,
	"response_body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_partner_id_method_path_key_pk" PRIMARY KEY("partner_id","method","path","key")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"partner_id" uuid,
	"token_hash" text NOT NULL,
	"invited_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"withdrawn_at" timestamp (3) with time zone,
	CONSTRAINT "invitations_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invitations_role_fits_partner" CHECK (("invitations"."partner_id" is null) = ("invitations"."role" in ('admin', 'approver', 'viewer'))),
	CONSTRAINT "invitations_email_is_lower_case" CHECK ("invitations"."email" = lower("invitations"."email")),
	CONSTRAINT "invitations_end_once" CHECK ("invitations"."accepted_at" is null or "invitations"."withdrawn_at" is null)
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"cause" text NOT NULL,
	"cause_id" text NOT NULL,
	"step" text NOT NULL,
	"phase" text NOT NULL,
	"resolves_id" text,
	"partner_id" uuid,
	"lines" smallint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"recorded_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "ledger_entries_once" UNIQUE("cause","cause_id","step"),
	CONSTRAINT "ledger_entries_resolved_once" UNIQUE("resolves_id"),
	CONSTRAINT "ledger_entries_lines" UNIQUE("id","lines","phase"),
	CONSTRAINT "ledger_entries_phase" CHECK (("ledger_entries"."phase" = 'voided') = ("ledger_entries"."lines" = 0) and ("ledger_entries"."phase" <> 'voided' or "ledger_entries"."resolves_id" is not null)
        and ("ledger_entries"."phase" <> 'pending' or "ledger_entries"."resolves_id" is null))
);
--> statement-breakpoint
CREATE TABLE "ledger_postings" (
	"entry_id" text NOT NULL,
	"line" smallint NOT NULL,
	"lines" smallint NOT NULL,
	"phase" text NOT NULL,
	"account" text NOT NULL,
	"partner_id" uuid,
	"currency" text NOT NULL,
	"chain" text,
	"decimals" smallint NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	CONSTRAINT "ledger_postings_entry_id_line_pk" PRIMARY KEY("entry_id","line"),
	CONSTRAINT "ledger_postings_line" CHECK ("ledger_postings"."line" between 1 and "ledger_postings"."lines"),
	CONSTRAINT "ledger_postings_amount" CHECK ("ledger_postings"."amount" <> 0),
	CONSTRAINT "ledger_postings_partner" CHECK (("ledger_postings"."account" = 'partner_receivable') = ("ledger_postings"."partner_id" is not null)),
	CONSTRAINT "ledger_postings_place" CHECK (("ledger_postings"."account" not in ('treasury', 'network_fees', 'fee_revenue') or "ledger_postings"."chain" is not null)
        and ("ledger_postings"."account" <> 'fiat_pool' or "ledger_postings"."chain" is null))
);
--> statement-breakpoint
CREATE TABLE "ledger_snapshots" (
	"before_id" text NOT NULL,
	"account" text NOT NULL,
	"partner_id" uuid,
	"currency" text NOT NULL,
	"chain" text,
	"decimals" smallint NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	CONSTRAINT "ledger_snapshots_once" UNIQUE NULLS NOT DISTINCT("before_id","account","currency","chain","partner_id")
);
--> statement-breakpoint
CREATE TABLE "login_origins" (
	"user_id" uuid NOT NULL,
	"address" text NOT NULL,
	"last_success_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "login_origins_user_id_address_pk" PRIMARY KEY("user_id","address")
);
--> statement-breakpoint
CREATE TABLE "login_throttles" (
	"key" text PRIMARY KEY NOT NULL,
	"full_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "members" (
	"id" uuid PRIMARY KEY NOT NULL,
	"partner_id" uuid NOT NULL,
	"external_user_id" text NOT NULL,
	"phone" text NOT NULL,
	"name" text,
	"email" text,
	"wallet_address" text,
	"chain" text NOT NULL,
	"safe_status" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "members_external_user_id" UNIQUE("partner_id","external_user_id"),
	CONSTRAINT "members_phone" UNIQUE("partner_id","phone"),
	CONSTRAINT "members_phone_is_e164" CHECK ("members"."phone" ~ '^\+[1-9][0-9]{6,14}$'),
	CONSTRAINT "members_has_wallet" CHECK ("members"."wallet_address" is not null or "members"."safe_status" in ('deploying', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "nonces" (
	"api_key_id" uuid NOT NULL,
	"nonce" uuid NOT NULL,
	"burnt_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "nonces_api_key_id_nonce_pk" PRIMARY KEY("api_key_id","nonce")
);
--> statement-breakpoint
CREATE TABLE "pair_terms" (
	"id" text PRIMARY KEY NOT NULL,
	"source_currency" text NOT NULL,
	"destination_currency" text NOT NULL,
	"chain" text NOT NULL,
	"partner_id" uuid,
	"version" integer NOT NULL,
	"enabled" boolean NOT NULL,
	"withdrawn" boolean NOT NULL,
	"spread_bps" integer NOT NULL,
	"platform_fee_base" numeric(78, 0) NOT NULL,
	"minimum_source_minor" bigint NOT NULL,
	"maximum_source_minor" bigint NOT NULL,
	"two_approvals_above_minor" bigint,
	"quote_lifetime_seconds" integer NOT NULL,
	"approved_lifetime_seconds" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "pair_terms_version" UNIQUE NULLS NOT DISTINCT("source_currency","destination_currency","chain","partner_id","version"),
	CONSTRAINT "pair_terms_spread" CHECK ("pair_terms"."spread_bps" between 0 and 9999),
	CONSTRAINT "pair_terms_limits" CHECK (1 <= "pair_terms"."minimum_source_minor" and "pair_terms"."minimum_source_minor" <= "pair_terms"."maximum_source_minor"),
	CONSTRAINT "pair_terms_two_approvals" CHECK ("pair_terms"."two_approvals_above_minor" >= "pair_terms"."maximum_source_minor"),
	CONSTRAINT "pair_terms_lifetimes" CHECK ("pair_terms"."quote_lifetime_seconds" > 0 and "pair_terms"."approved_lifetime_seconds" > 0),
	CONSTRAINT "pair_terms_fee" CHECK ("pair_terms"."platform_fee_base" >= 0)
);
--> statement-breakpoint
CREATE TABLE "partners" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"roles" text[] NOT NULL,
	"status" text NOT NULL,
	"wallet_address" text,
	"charge_fee_percentage" numeric(7, 4) NOT NULL,
	"writes_per_second" integer,
	"reads_per_second" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "partners_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"beat_at" timestamp (3) with time zone NOT NULL,
	"metrics" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_events" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"source" text NOT NULL,
	"status" text NOT NULL,
	"reference" text,
	"reason" text,
	"effect" text NOT NULL,
	"body" text,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reconciliations" (
	"day" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"begun_at" timestamp (3) with time zone NOT NULL,
	"rules" integer,
	"checked" integer,
	"differences" integer,
	"findings" jsonb,
	"lease_until" timestamp (3) with time zone,
	"lease_token" uuid,
	CONSTRAINT "reconciliations_day" CHECK ("reconciliations"."day" ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
	CONSTRAINT "reconciliations_finished" CHECK (("reconciliations"."finished_at" is null) = ("reconciliations"."findings" is null) and ("reconciliations"."finished_at" is null) = ("reconciliations"."differences" is null))
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"spent_at" timestamp (3) with time zone,
	CONSTRAINT "recovery_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "resend_job_items" (
	"job_id" text NOT NULL,
	"callback_id" text NOT NULL,
	"series" integer NOT NULL,
	"undelivered_at" timestamp (3) with time zone NOT NULL,
	"skipped_at" timestamp (3) with time zone,
	CONSTRAINT "resend_job_items_job_id_callback_id_pk" PRIMARY KEY("job_id","callback_id")
);
--> statement-breakpoint
CREATE TABLE "resend_jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"partner_id" uuid,
	"actor_type" text NOT NULL,
	"actor_id" text,
	"selection" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"aborted_at" timestamp (3) with time zone,
	"aborted_by_id" uuid
);
--> statement-breakpoint
CREATE TABLE "review_claims" (
	"settlement_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"claimed_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "safe_deployments" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"chain" text NOT NULL,
	"version" text NOT NULL,
	"shared" boolean NOT NULL,
	"owners" text[],
	"threshold" smallint,
	"salt_nonce" text,
	"member_id" uuid,
	"partner_id" uuid,
	"state" text NOT NULL,
	"address" text,
	"waiting_reason" text,
	"failure_reason" text,
	"request_key" text,
	"request_hash" text,
	"request_until" timestamp (3) with time zone,
	"look_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "safe_deployments_request" UNIQUE("request_key"),
	CONSTRAINT "safe_deployments_safe" CHECK (("safe_deployments"."kind" = 'safe') = ("safe_deployments"."threshold" is not null and "safe_deployments"."salt_nonce" is not null)),
	CONSTRAINT "safe_deployments_place" CHECK ("safe_deployments"."state" not in ('made', 'deployed') or "safe_deployments"."address" is not null),
	CONSTRAINT "safe_deployments_failed" CHECK ("safe_deployments"."state" in ('made', 'failed') or "safe_deployments"."failure_reason" is null),
	CONSTRAINT "safe_deployments_reason" CHECK ("safe_deployments"."state" <> 'failed' or "safe_deployments"."failure_reason" is not null),
	CONSTRAINT "safe_deployments_due" CHECK (("safe_deployments"."look_at" is not null) = ("safe_deployments"."state" in ('asked', 'made')))
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"partner_id" uuid,
	"name" text NOT NULL,
	"shared" boolean NOT NULL,
	"params" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "saved_views_have_a_name" CHECK (length("saved_views"."name") between 1 and 60)
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sid_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"stepped_up_at" timestamp (3) with time zone,
	"viewing_as_partner_id" uuid,
	"address" text NOT NULL,
	"user_agent" text,
	CONSTRAINT "sessions_sidHash_unique" UNIQUE("sid_hash")
);
--> statement-breakpoint
CREATE TABLE "settlement_approvals" (
	"settlement_id" text NOT NULL,
	"decider_type" text NOT NULL,
	"decider_id" uuid NOT NULL,
	"approved_at" timestamp (3) with time zone NOT NULL,
	"note" text,
	CONSTRAINT "settlement_approvals_settlement_id_decider_type_decider_id_pk" PRIMARY KEY("settlement_id","decider_type","decider_id")
);
--> statement-breakpoint
CREATE TABLE "settlement_quotes" (
	"settlement_id" text NOT NULL,
	"version" integer NOT NULL,
	"exchange_rate" numeric NOT NULL,
	"mid_rate" numeric NOT NULL,
	"spread_bps" integer NOT NULL,
	"rate_source" text NOT NULL,
	"rate_as_of" timestamp (3) with time zone NOT NULL,
	"pair_terms_id" text NOT NULL,
	"gross_base" numeric(78, 0) NOT NULL,
	"platform_fee_base" numeric(78, 0) NOT NULL,
	"destination_amount_base" numeric(78, 0) NOT NULL,
	"priced_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "settlement_quotes_settlement_id_version_pk" PRIMARY KEY("settlement_id","version")
);
--> statement-breakpoint
CREATE TABLE "settlements" (
	"id" text PRIMARY KEY NOT NULL,
	"partner_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"status" text NOT NULL,
	"approval_state" text,
	"external_tx_id" text,
	"external_merchant_id" text NOT NULL,
	"source_amount_minor" bigint NOT NULL,
	"source_currency" text NOT NULL,
	"destination_currency" text NOT NULL,
	"chain" text NOT NULL,
	"wallet_address" text NOT NULL,
	"token_address" text,
	"token_decimals" smallint NOT NULL,
	"quote_version" integer NOT NULL,
	"exchange_rate" numeric NOT NULL,
	"mid_rate" numeric NOT NULL,
	"spread_bps" integer NOT NULL,
	"rate_source" text NOT NULL,
	"rate_as_of" timestamp (3) with time zone NOT NULL,
	"pair_terms_id" text NOT NULL,
	"gross_base" numeric(78, 0) NOT NULL,
	"platform_fee_base" numeric(78, 0) NOT NULL,
	"destination_amount_base" numeric(78, 0) NOT NULL,
	"priced_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"creation_callback_url" text,
	"callback_url" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	"approval_decided_at" timestamp (3) with time zone,
	"rejection_reason" text,
	"tx_hash" text,
	"executed_at" timestamp (3) with time zone,
	"failure_reason" text,
	CONSTRAINT "settlements_adds_up" CHECK ("settlements"."gross_base" = "settlements"."destination_amount_base" + "settlements"."platform_fee_base"),
	CONSTRAINT "settlements_pays_something" CHECK ("settlements"."destination_amount_base" > 0 and "settlements"."source_amount_minor" > 0),
	CONSTRAINT "settlements_legal_pair" CHECK (("settlements"."status", coalesce("settlements"."approval_state", '-')) in (
        ('quoted', '-'), ('quoted', 'pending'), ('quoted', 'approved'),
        ('processing', '-'), ('processing', 'approved'), ('executed', '-'), ('executed', 'approved'),
        ('failed', '-'), ('failed', 'approved'),
        ('cancelled', '-'), ('cancelled', 'pending'), ('cancelled', 'approved'), ('cancelled', 'rejected'))),
	CONSTRAINT "settlements_executed_has_hash" CHECK (("settlements"."status" = 'executed') = ("settlements"."tx_hash" is not null and "settlements"."executed_at" is not null)),
	CONSTRAINT "settlements_failed_has_reason" CHECK (("settlements"."status" = 'failed') = ("settlements"."failure_reason" is not null)),
	CONSTRAINT "settlements_confirmed_is_complete" CHECK (("settlements"."status" in ('processing', 'executed', 'failed')) = ("settlements"."confirmed_at" is not null)
        and ("settlements"."confirmed_at" is not null) = ("settlements"."external_tx_id" is not null)
        and ("settlements"."confirmed_at" is not null) = ("settlements"."callback_url" is not null))
);
--> statement-breakpoint
CREATE TABLE "simulated_orders" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"reference" text NOT NULL,
	"outcome" jsonb NOT NULL,
	"settles_at" timestamp (3) with time zone NOT NULL,
	"calls" jsonb NOT NULL,
	"calls_made" integer NOT NULL,
	"due_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"lease_token" uuid,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "topups" (
	"id" text PRIMARY KEY NOT NULL,
	"partner_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"external_id" text NOT NULL,
	"member_id" uuid NOT NULL,
	"external_user_id" text NOT NULL,
	"status" text NOT NULL,
	"step" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"fee_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"destination_amount_base" numeric(78, 0) NOT NULL,
	"destination_currency" text NOT NULL,
	"chain" text NOT NULL,
	"token_address" text,
	"token_decimals" smallint NOT NULL,
	"wallet_address" text NOT NULL,
	"source_type" text NOT NULL,
	"source_account" text NOT NULL,
	"payment_reference" text NOT NULL,
	"payment_instructions" text NOT NULL,
	"exchange_rate" numeric NOT NULL,
	"mid_rate" numeric NOT NULL,
	"spread_bps" integer NOT NULL,
	"rate_source" text NOT NULL,
	"rate_as_of" timestamp (3) with time zone NOT NULL,
	"pair_terms_id" text NOT NULL,
	"charge_fee_percentage" numeric NOT NULL,
	"callback_url" text,
	"provider_reference" text,
	"tx_hash" text,
	"failure_reason" text,
	"waiting_reason" text,
	"accepted_at" timestamp (3) with time zone,
	"tries" integer NOT NULL,
	"due_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"lease_token" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "topups_external_id" UNIQUE("partner_id","external_id"),
	CONSTRAINT "topups_legal_pair" CHECK (("topups"."status", "topups"."step") in (
        ('pending', 'collecting'), ('processing', 'sending'), ('completed', 'sent'), ('failed', 'uncollected'), ('failed', 'unsent'))),
	CONSTRAINT "topups_amounts" CHECK ("topups"."amount_minor" > "topups"."fee_minor" and "topups"."fee_minor" >= 0 and "topups"."destination_amount_base" > 0),
	CONSTRAINT "topups_sent" CHECK (("topups"."step" = 'sent') = ("topups"."tx_hash" is not null and "topups"."completed_at" is not null)),
	CONSTRAINT "topups_failed" CHECK (("topups"."status" = 'failed') = ("topups"."failure_reason" is not null)),
	CONSTRAINT "topups_due_where_we_act" CHECK (("topups"."due_at" is not null) = ("topups"."step" = 'collecting'))
);
--> statement-breakpoint
CREATE TABLE "transaction_attempts" (
	"hash" text PRIMARY KEY NOT NULL,
	"transaction_id" text NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"raw_bytes" text NOT NULL,
	"max_fee_per_gas" numeric(78, 0) NOT NULL,
	"max_priority_fee_per_gas" numeric(78, 0) NOT NULL,
	"gas_limit" numeric(78, 0) NOT NULL,
	"signed_at" timestamp (3) with time zone NOT NULL,
	"broadcast_at" timestamp (3) with time zone,
	CONSTRAINT "transaction_attempts_number" UNIQUE("transaction_id","number")
);
--> statement-breakpoint
CREATE TABLE "transactions" (
	"id" text PRIMARY KEY NOT NULL,
	"transfer_id" text NOT NULL,
	"wallet_id" uuid NOT NULL,
	"nonce" bigint NOT NULL,
	"to_address" text,
	"value_base" numeric(78, 0) NOT NULL,
	"data" text NOT NULL,
	"intent_hash" text NOT NULL,
	"look_at" timestamp (3) with time zone NOT NULL,
	"bump_at" timestamp (3) with time zone NOT NULL,
	"spent_height" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "transactions_transferId_unique" UNIQUE("transfer_id"),
	CONSTRAINT "transactions_nonce" UNIQUE("wallet_id","nonce")
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"owner_id" text NOT NULL,
	"partner_id" uuid,
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"token_address" text,
	"token_decimals" smallint NOT NULL,
	"amount_base" numeric(78, 0) NOT NULL,
	"recipient" text NOT NULL,
	"call_to" text,
	"call_value_base" numeric(78, 0),
	"call_data" text,
	"call_sender" text,
	"state" text NOT NULL,
	"waiting_reason" text,
	"review_reason" text,
	"failure_reason" text,
	"tx_hash" text,
	"block_number" bigint,
	"block_hash" text,
	"cancel_requested_at" timestamp (3) with time zone,
	"bump_requested_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"lease_token" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"executed_at" timestamp (3) with time zone,
	CONSTRAINT "transfers_once" UNIQUE("purpose","owner_id"),
	CONSTRAINT "transfers_amount" CHECK ("transfers"."amount_base" > 0 or ("transfers"."call_data" is not null and "transfers"."amount_base" = 0)),
	CONSTRAINT "transfers_call" CHECK ("transfers"."call_data" is not null or ("transfers"."call_to" is null and "transfers"."call_value_base" is null and "transfers"."call_sender" is null)),
	CONSTRAINT "transfers_final" CHECK (("transfers"."due_at" is null) = ("transfers"."state" in ('executed', 'failed', 'needs_review'))),
	CONSTRAINT "transfers_executed" CHECK (("transfers"."state" = 'executed') = ("transfers"."executed_at" is not null) and ("transfers"."state" not in ('mined', 'executed') or "transfers"."tx_hash" is not null)),
	CONSTRAINT "transfers_failed" CHECK (("transfers"."state" = 'failed') = ("transfers"."failure_reason" is not null))
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"role" text NOT NULL,
	"partner_id" uuid,
	"sealed_totp_secret" text,
	"sealed_totp_draft" text,
	"last_totp_step" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_role_fits_partner" CHECK (("users"."partner_id" is null) = ("users"."role" in ('admin', 'approver', 'viewer'))),
	CONSTRAINT "users_email_is_lower_case" CHECK ("users"."email" = lower("users"."email"))
);
--> statement-breakpoint
CREATE TABLE "wallet_balances" (
	"wallet_id" uuid NOT NULL,
	"currency" text NOT NULL,
	"amount_base" numeric(78, 0) NOT NULL,
	"height" bigint NOT NULL,
	"threshold_base" numeric(78, 0) NOT NULL,
	"low" boolean NOT NULL,
	"observed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "wallet_balances_wallet_id_currency_pk" PRIMARY KEY("wallet_id","currency")
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"address" text NOT NULL,
	"next_nonce" bigint,
	"lease_owner" text,
	"lease_until" timestamp (3) with time zone,
	"fencing_token" bigint NOT NULL,
	"paused" boolean NOT NULL,
	"trouble" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "wallets_address" UNIQUE("chain","address")
);
--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"id" text PRIMARY KEY NOT NULL,
	"partner_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"external_id" text NOT NULL,
	"member_id" uuid,
	"external_user_id" text,
	"status" text NOT NULL,
	"step" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"fee_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"source_amount_base" numeric(78, 0) NOT NULL,
	"source_currency" text NOT NULL,
	"chain" text NOT NULL,
	"token_address" text,
	"token_decimals" smallint NOT NULL,
	"safe_address" text NOT NULL,
	"treasury_address" text,
	"destination_type" text NOT NULL,
	"destination_account" text NOT NULL,
	"destination_name" text NOT NULL,
	"exchange_rate" numeric NOT NULL,
	"mid_rate" numeric NOT NULL,
	"spread_bps" integer NOT NULL,
	"rate_source" text NOT NULL,
	"rate_as_of" timestamp (3) with time zone NOT NULL,
	"pair_terms_id" text NOT NULL,
	"charge_fee_percentage" numeric NOT NULL,
	"callback_url" text,
	"provider_reference" text,
	"tx_hash" text,
	"return_tx_hash" text,
	"failure_reason" text,
	"waiting_reason" text,
	"accepted_at" timestamp (3) with time zone,
	"tries" integer NOT NULL,
	"due_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"lease_token" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "withdrawals_external_id" UNIQUE("partner_id","external_id"),
	CONSTRAINT "withdrawals_legal_pair" CHECK (("withdrawals"."status", "withdrawals"."step") in (
        ('pending', 'reserved'), ('processing', 'sweeping'), ('processing', 'paying_out'), ('processing', 'returning'),
        ('completed', 'paid'), ('failed', 'released'), ('failed', 'returned'), ('failed', 'unreturned'))),
	CONSTRAINT "withdrawals_amounts" CHECK ("withdrawals"."amount_minor" > 0 and "withdrawals"."fee_minor" >= 0 and "withdrawals"."source_amount_base" > 0),
	CONSTRAINT "withdrawals_member" CHECK (("withdrawals"."member_id" is null) = ("withdrawals"."external_user_id" is null)),
	CONSTRAINT "withdrawals_swept" CHECK (("withdrawals"."step" in ('reserved', 'sweeping', 'released')) = ("withdrawals"."tx_hash" is null)),
	CONSTRAINT "withdrawals_returned" CHECK (("withdrawals"."step" = 'returned') = ("withdrawals"."return_tx_hash" is not null)),
	CONSTRAINT "withdrawals_completed" CHECK (("withdrawals"."step" = 'paid') = ("withdrawals"."completed_at" is not null)),
	CONSTRAINT "withdrawals_failed" CHECK (("withdrawals"."step" in ('returning', 'released', 'returned', 'unreturned')) = ("withdrawals"."failure_reason" is not null)),
	CONSTRAINT "withdrawals_due_where_we_act" CHECK (("withdrawals"."due_at" is not null) = ("withdrawals"."step" in ('reserved', 'paying_out')))
);
--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_seals" ADD CONSTRAINT "audit_seals_entry_id_audit_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."audit_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "callback_attempts" ADD CONSTRAINT "callback_attempts_callback_id_callbacks_id_fk" FOREIGN KEY ("callback_id") REFERENCES "public"."callbacks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "callback_secrets" ADD CONSTRAINT "callback_secrets_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_resolves_id_ledger_entries_id_fk" FOREIGN KEY ("resolves_id") REFERENCES "public"."ledger_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_of_entry" FOREIGN KEY ("entry_id","lines","phase") REFERENCES "public"."ledger_entries"("id","lines","phase") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_snapshots" ADD CONSTRAINT "ledger_snapshots_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_origins" ADD CONSTRAINT "login_origins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pair_terms" ADD CONSTRAINT "pair_terms_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resend_job_items" ADD CONSTRAINT "resend_job_items_job_id_resend_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."resend_jobs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resend_job_items" ADD CONSTRAINT "resend_job_items_callback_id_callbacks_id_fk" FOREIGN KEY ("callback_id") REFERENCES "public"."callbacks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resend_jobs" ADD CONSTRAINT "resend_jobs_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_claims" ADD CONSTRAINT "review_claims_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_claims" ADD CONSTRAINT "review_claims_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "safe_deployments" ADD CONSTRAINT "safe_deployments_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "safe_deployments" ADD CONSTRAINT "safe_deployments_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_viewing_as_partner_id_partners_id_fk" FOREIGN KEY ("viewing_as_partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_approvals" ADD CONSTRAINT "settlement_approvals_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_quotes" ADD CONSTRAINT "settlement_quotes_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_quotes" ADD CONSTRAINT "settlement_quotes_pair_terms_id_pair_terms_id_fk" FOREIGN KEY ("pair_terms_id") REFERENCES "public"."pair_terms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_pair_terms_id_pair_terms_id_fk" FOREIGN KEY ("pair_terms_id") REFERENCES "public"."pair_terms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topups" ADD CONSTRAINT "topups_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topups" ADD CONSTRAINT "topups_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topups" ADD CONSTRAINT "topups_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topups" ADD CONSTRAINT "topups_pair_terms_id_pair_terms_id_fk" FOREIGN KEY ("pair_terms_id") REFERENCES "public"."pair_terms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transaction_attempts" ADD CONSTRAINT "transaction_attempts_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_balances" ADD CONSTRAINT "wallet_balances_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_pair_terms_id_pair_terms_id_fk" FOREIGN KEY ("pair_terms_id") REFERENCES "public"."pair_terms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_tokens_user_id_index" ON "access_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "access_tokens_expires_at_index" ON "access_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "api_keys_partner_id_index" ON "api_keys" USING btree ("partner_id");--> statement-breakpoint
CREATE INDEX "api_requests_newest" ON "api_requests" USING btree ("partner_id","at","id");--> statement-breakpoint
CREATE INDEX "api_requests_age" ON "api_requests" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "api_requests_settlement" ON "api_requests" USING btree ("settlement_id","at") WHERE settlement_id is not null;--> statement-breakpoint
CREATE INDEX "api_requests_refused" ON "api_requests" USING btree ("at") WHERE refused is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_object_id_index" ON "audit_entries" USING btree ("object_id");--> statement-breakpoint
CREATE INDEX "audit_entries_partner_id_at_index" ON "audit_entries" USING btree ("partner_id","at");--> statement-breakpoint
CREATE INDEX "audit_entries_failures" ON "audit_entries" USING btree ("at") WHERE action = 'settlement.failed';--> statement-breakpoint
CREATE INDEX "audit_entries_decisions" ON "audit_entries" USING btree ("actor_id","id") WHERE action in ('settlement.approved', 'settlement.rejected', 'settlement.approval_recorded');--> statement-breakpoint
CREATE INDEX "callback_attempts_sent_at_index" ON "callback_attempts" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "callback_secrets_partner_id_index" ON "callback_secrets" USING btree ("partner_id");--> statement-breakpoint
CREATE INDEX "callbacks_newest" ON "callbacks" USING btree ("partner_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "callbacks_once_per_event" ON "callbacks" USING btree ("subject_id","event");--> statement-breakpoint
CREATE INDEX "callbacks_lanes" ON "callbacks" USING btree ("lane","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "callbacks_due" ON "callbacks" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "callbacks_undelivered" ON "callbacks" USING btree ("partner_id","undelivered_at") WHERE state = 'undelivered';--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at_index" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "invitations_partner_id_created_at_index" ON "invitations" USING btree ("partner_id","created_at");--> statement-breakpoint
CREATE INDEX "invitations_email_index" ON "invitations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "ledger_entries_pending" ON "ledger_entries" USING btree ("id") WHERE phase = 'pending';--> statement-breakpoint
CREATE INDEX "ledger_entries_recorded" ON "ledger_entries" USING btree ("recorded_at");--> statement-breakpoint
CREATE INDEX "ledger_postings_balance" ON "ledger_postings" USING btree ("account","currency","chain","phase","entry_id","partner_id","decimals","amount");--> statement-breakpoint
CREATE INDEX "ledger_postings_of_partner" ON "ledger_postings" USING btree ("partner_id","entry_id") WHERE partner_id is not null;--> statement-breakpoint
CREATE INDEX "login_throttles_full_at_index" ON "login_throttles" USING btree ("full_at");--> statement-breakpoint
CREATE INDEX "members_newest" ON "members" USING btree ("partner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "members_newest_of_all" ON "members" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "nonces_burnt_at_index" ON "nonces" USING btree ("burnt_at");--> statement-breakpoint
CREATE INDEX "provider_events_of_order" ON "provider_events" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "provider_events_contradictions" ON "provider_events" USING btree ("received_at") WHERE effect in ('contradicted', 'unknown_order');--> statement-breakpoint
CREATE INDEX "resend_job_items_callback_id_index" ON "resend_job_items" USING btree ("callback_id");--> statement-breakpoint
CREATE INDEX "resend_jobs_partner_id_created_at_index" ON "resend_jobs" USING btree ("partner_id","created_at");--> statement-breakpoint
CREATE INDEX "review_claims_user_id_index" ON "review_claims" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "review_claims_claimed_until_index" ON "review_claims" USING btree ("claimed_until");--> statement-breakpoint
CREATE INDEX "safe_deployments_look" ON "safe_deployments" USING btree ("chain","look_at") WHERE look_at is not null;--> statement-breakpoint
CREATE INDEX "safe_deployments_standing" ON "safe_deployments" USING btree ("chain","version","kind") WHERE state = 'deployed' and kind <> 'safe';--> statement-breakpoint
CREATE UNIQUE INDEX "safe_deployments_shared" ON "safe_deployments" USING btree ("chain","version","kind") WHERE shared and state in ('asked', 'owed', 'made');--> statement-breakpoint
CREATE UNIQUE INDEX "safe_deployments_member" ON "safe_deployments" USING btree ("member_id") WHERE state <> 'failed';--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" USING btree ("owner_id","name");--> statement-breakpoint
CREATE INDEX "saved_views_shared" ON "saved_views" USING btree ("partner_id") WHERE shared;--> statement-breakpoint
CREATE INDEX "sessions_user_id_index" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expires_at_index" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "settlement_approvals_of_decider" ON "settlement_approvals" USING btree ("decider_id","approved_at");--> statement-breakpoint
CREATE INDEX "settlements_newest" ON "settlements" USING btree ("partner_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "settlements_external_tx_id" ON "settlements" USING btree ("partner_id","external_tx_id");--> statement-breakpoint
CREATE INDEX "settlements_merchant" ON "settlements" USING btree ("partner_id","external_merchant_id","created_at");--> statement-breakpoint
CREATE INDEX "settlements_newest_of_all" ON "settlements" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "settlements_unfinished" ON "settlements" USING btree ("status","created_at","id") WHERE status in ('processing', 'failed');--> statement-breakpoint
CREATE INDEX "settlements_tx_hash" ON "settlements" USING btree ("tx_hash") WHERE tx_hash is not null;--> statement-breakpoint
CREATE INDEX "settlements_executed" ON "settlements" USING btree ("executed_at") WHERE executed_at is not null;--> statement-breakpoint
CREATE INDEX "settlements_decided" ON "settlements" USING btree ("approval_decided_at") WHERE approval_decided_at is not null;--> statement-breakpoint
CREATE INDEX "settlements_wallet" ON "settlements" USING btree (lower("wallet_address"));--> statement-breakpoint
CREATE INDEX "settlements_approved" ON "settlements" USING btree ("expires_at") WHERE status = 'quoted' and approval_state = 'approved';--> statement-breakpoint
CREATE INDEX "settlements_awaiting" ON "settlements" USING btree ("created_at") WHERE status = 'quoted' and approval_state = 'pending';--> statement-breakpoint
CREATE INDEX "settlements_approval" ON "settlements" USING btree ("approval_state","created_at","id") WHERE approval_state is not null;--> statement-breakpoint
CREATE INDEX "settlements_open" ON "settlements" USING btree ("expires_at") WHERE status = 'quoted';--> statement-breakpoint
CREATE INDEX "settlements_amount" ON "settlements" USING btree ("source_currency","source_amount_minor");--> statement-breakpoint
CREATE INDEX "simulated_orders_due" ON "simulated_orders" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "topups_newest" ON "topups" USING btree ("partner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "topups_newest_of_all" ON "topups" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "topups_of_member" ON "topups" USING btree ("member_id","created_at","id");--> statement-breakpoint
CREATE INDEX "topups_due" ON "topups" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "transactions_look" ON "transactions" USING btree ("wallet_id","look_at");--> statement-breakpoint
CREATE INDEX "transfers_due" ON "transfers" USING btree ("chain","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "transfers_state" ON "transfers" USING btree ("state");--> statement-breakpoint
CREATE INDEX "withdrawals_newest" ON "withdrawals" USING btree ("partner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_newest_of_all" ON "withdrawals" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_of_member" ON "withdrawals" USING btree ("member_id","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_due" ON "withdrawals" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "withdrawals_reserved" ON "withdrawals" USING btree ("currency") WHERE step in ('reserved', 'sweeping', 'paying_out');--> statement-breakpoint
CREATE INDEX "withdrawals_of_safe" ON "withdrawals" USING btree ("chain",lower("safe_address")) WHERE step in ('reserved', 'sweeping');