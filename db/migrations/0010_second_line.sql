ALTER TABLE "audit_seals" ADD COLUMN "signature" text;
--> statement-breakpoint
-- What the treasury has promised, to whomever: figures over all partners that each partner's quote rests on. It shows nobody's name, and
-- reads as its owner, whom no policy holds.
CREATE VIEW "promised_transfers" AS
  SELECT "chain", "currency", "state", "call_data", "amount_base", "block_number" FROM "transfers";
--> statement-breakpoint
-- The same of fiat: what is promised out of a pool, and out of a Safe that several partners may have named.
CREATE VIEW "promised_withdrawals" AS
  SELECT "currency", "amount_minor", "step", "chain", "safe_address", "token_address", "source_amount_base" FROM "withdrawals";
