-- What a payment of a packed transaction waits for, and since when. A partner may not read the packed transaction itself: it is in no partner's rows.
CREATE FUNCTION packed_wait(member text) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  select jsonb_build_object('kind', case when p.state = 'needs_review' then 'review' else p.waiting_kind end,
    'since', coalesce(p.waiting_since, p.updated_at))
  from pack_members m join transfers p on p.id = m.pack_id
  where m.transfer_id = member and m.outcome is null and (p.waiting_kind is not null or p.state = 'needs_review')
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION packed_wait(text) FROM PUBLIC;
