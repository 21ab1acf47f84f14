-- A nonce is given up only because a reverted attempt under it is final. That never becomes untrue, so that it is never taken back.
create function refuse_standing_again() returns trigger language plpgsql as $$
begin
  raise exception 'a superseded transaction stays superseded' using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
create trigger superseded_for_good before update of superseded_at on transactions for each row
  when (old.superseded_at is not null and new.superseded_at is distinct from old.superseded_at) execute function refuse_standing_again();
