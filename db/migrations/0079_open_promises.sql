-- Whether a promise is still open, without a state: the condition of `transfers_unfinished`.
CREATE OR REPLACE VIEW "promised_transfers" AS
  SELECT "chain", "currency", "state", "call_data", "amount_base", "block_number", "executed_at" IS NULL AND "failure_reason" IS NULL AS "is_unfinished"
  FROM "transfers";
