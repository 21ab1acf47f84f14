/**
 * Citus plans no statement that reads whole and distributed tables together where one of them is in a subquery. On Citus such a statement
 * reads the distributed ones through these functions, which the planner does not look into: each asks the one node that has the partner's
 * rows. `citus_open_quotes` alone asks all nodes, because a limit may count everybody's. They run with the caller's rights and policies.
 */
const READS: readonly { signature: string; answers: string; body: string }[] = [
  {
    signature: "citus_settlement(wanted text, partner uuid)",
    answers: "setof settlements",
    body: "return query select s.* from settlements s where s.partner_id = partner and s.id = wanted",
  },
  {
    signature: "citus_settlements_of(partner uuid, merchant text, since timestamptz, till timestamptz, but text, most bigint)",
    answers: "setof settlements",
    body: `return query select s.* from settlements s where s.partner_id = partner and s.external_merchant_id = merchant
      and s.created_at > since and s.created_at <= till and s.id is distinct from but order by s.created_at desc limit most`,
  },
  {
    signature: "citus_is_paid(partner uuid, wallet text, till timestamptz)",
    answers: "boolean",
    body: `return exists (select 1 from settlements s where s.partner_id = partner and lower(s.wallet_address) = lower(wallet)
      and s.executed_at <= till)`,
  },
  {
    signature: "citus_is_promised(partner uuid, wallet text, till timestamptz)",
    answers: "boolean",
    body: `return exists (select 1 from settlements s where s.partner_id = partner and lower(s.wallet_address) = lower(wallet)
      and s.confirmed_at <= till)`,
  },
  {
    signature: "citus_processing_minor(partner uuid, currency text, but text)",
    answers: "numeric",
    body: `return (select sum(s.source_amount_minor) from settlements s where s.partner_id = partner and s.source_currency = currency
      and s.status = 'processing' and s.id <> but)`,
  },
  {
    signature: "citus_open_quotes(currency text)",
    answers: "setof open_quotes",
    body: "return query select o.* from open_quotes o where currency is null or o.source_currency = currency",
  },
  {
    // In a policy of a whole table: Citus calls itself without end where that names a distributed one.
    signature: "citus_sees(settlement text)",
    answers: "boolean",
    body: `return exists (select 1 from settlements s where s.id = settlement
      and s.partner_id = nullif(current_setting('service.partner', true), '')::uuid)`,
  },
];

/**
 * A function that works with its owner's rights queries the nodes as the owner, over another connection: it would not see what the
 * transaction has written there, and would wait for its locks without end. So the caller reads the settlement, and hands it on to the function
 * that has the right to make a payment. The signer derives each payment again, from the settlement itself.
 */
const OWING = [
  `create or replace function citus_owe(transfer text, s settlements) returns setof transfers
    language plpgsql security definer set search_path = public, pg_temp as $body$ begin
      return query insert into transfers (id, purpose, owner_id, partner_id, chain, currency, token_address, token_decimals, amount_base,
          recipient, state, trace, due_at, created_at, updated_at)
        values (transfer, 'settlement', s.id, s.partner_id, s.chain, s.destination_currency, s.token_address, s.token_decimals,
          s.destination_amount_base, s.wallet_address, 'queued', s.trace, s.confirmed_at, s.confirmed_at, s.confirmed_at)
        on conflict do nothing returning *;
    end $body$`,
  `create or replace function owe_settlement(transfer text, owner text, partner uuid) returns setof transfers
    language plpgsql set search_path = public, pg_temp as $body$
    declare s settlements; begin
      select * into s from settlements where id = owner and partner_id = partner and status = 'processing' for update;
      if not found then raise exception 'settlement % owes no payment', owner using errcode = 'restrict_violation'; end if;
      return query select * from citus_owe(transfer, s);
    end $body$`,
];

/** Who makes no quotes may count the events of a settlement that is owed. It makes none owed, and changes nothing else of one. */
const OWED_IS_KEPT = [
  `create or replace function citus_keep_owed() returns trigger language plpgsql as $body$ begin
      if to_jsonb(new) - array['events_recorded', 'events_position'] = to_jsonb(old) - array['events_recorded', 'events_position'] then
        return new;
      end if;
      raise exception 'settlement % is owed by the web process only', new.id using errcode = 'insufficient_privilege';
    end $body$`,
  `create or replace trigger owed_is_kept before update on settlements for each row
    when (new.status = 'processing' and not makes_quotes()) execute function citus_keep_owed()`,
];

/** Statements that make them, or make them again. */
export const CITUS_FUNCTIONS = READS.map(
  ({ signature, answers, body }) =>
    `create or replace function ${signature} returns ${answers} language plpgsql stable as $body$ begin ${body}; end $body$`,
).concat(OWING, OWED_IS_KEPT);
