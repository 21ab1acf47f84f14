-- Whether a promise is still open, without a state: the condition of `transfers_unfinished`.
CREATE OR REPLACE VIEW "promised_transfers" AS
  SELECT "chain", "currency", "state", "call_data", "amount_base", "block_number", "executed_at" IS NULL AND "failure_reason" IS NULL AS "is_unfinished"
  FROM "transfers";
--> statement-breakpoint
-- The version before still asks by the state. It finds its rows without these indexes, more slowly, until it is replaced.
DROP INDEX "transfers_state";--> statement-breakpoint
DROP INDEX "transfers_promised";
