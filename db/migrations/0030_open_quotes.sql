-- What is promised at a rate, of all partners together: a partner's own work must know that too much is open, and sees nobody's rows.
CREATE VIEW "open_quotes" AS
  SELECT "partner_id", "source_currency", "destination_currency", "chain", "source_amount_minor", "destination_amount_base", "token_decimals", "mid_rate", "is_priced" FROM (
    SELECT "partner_id", "source_currency", "destination_currency", "chain", "source_amount_minor", "destination_amount_base", "token_decimals", "mid_rate", true AS "is_priced"
      FROM "settlements" WHERE "status" = 'quoted' AND "approval_state" IS DISTINCT FROM 'pending' AND "expires_at" > (SELECT business_now())
    UNION ALL
    SELECT "partner_id", "source_currency", "destination_currency", "chain", "source_amount_minor", "destination_amount_base", "token_decimals", "mid_rate", false
      FROM "settlements" WHERE "status" = 'quoted' AND "approval_state" = 'pending'
    UNION ALL
    SELECT "partner_id", "source_currency", "destination_currency", "chain", "source_amount_minor", "destination_amount_base", "token_decimals", "mid_rate", true
      FROM "settlements" WHERE "status" = 'processing'
  ) AS "open";
