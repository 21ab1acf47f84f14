-- Since when what is not taken has failed: read off the attempts that there were. What is delivered, or was never tried, has none.
UPDATE callbacks c
SET failing_since = coalesce((SELECT min(a.ended_at) FROM callback_attempts a WHERE a.callback_id = c.id AND a.error_kind IS NOT NULL), c.undelivered_at)
WHERE c.state IN ('pending', 'undelivered') AND c.failing_since IS NULL;
