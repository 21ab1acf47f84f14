-- PostgreSQL up to 17 plans the body of a function in SQL again for each statement that calls it: in PL/pgSQL, once for each session.
CREATE OR REPLACE FUNCTION business_now() RETURNS timestamptz LANGUAGE plpgsql VOLATILE PARALLEL SAFE AS $$
DECLARE
  moved bigint;
BEGIN
  SELECT offset_ms INTO moved FROM business_clock;
  RETURN date_trunc('milliseconds', clock_timestamp() + coalesce(moved, 0) * interval '1 millisecond');
END
$$;
