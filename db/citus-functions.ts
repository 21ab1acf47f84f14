import { COUNTING_SETTING } from "./driver/tenant.ts";

/**
 * Citus plans no statement that reads whole and distributed tables together where one of them is in a subquery. On Citus such a statement
 * reads the distributed ones through these functions, which the planner does not look into: each asks the one node that has the partner's
 * rows. `citus_open_quotes` alone asks all nodes, because a limit may count everybody's. They run with the caller's rights and policies.
 */
const READS: readonly { signature: string; answers: string; body: string; sets?: true }[] = [
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
    body: `return coalesce((select min(s.executed_at) from settlements s where s.partner_id = partner and lower(s.wallet_address) = lower(wallet)) <= till,
      false)`,
  },
  {
    signature: "citus_processing_minor(partner uuid, currency text, but text)",
    answers: "numeric",
    body: `return (select sum(s.source_amount_minor) from settlements s where s.partner_id = partner and s.source_currency = currency
      and s.status = 'processing' and s.id <> but)`,
  },
  {
    // For a partner's request, too, it counts everybody's: the policy on the nodes allows it meanwhile (`COUNTING`).
    signature: "citus_open_quotes(currency text)",
    answers: "setof open_quotes",
    body: `set local ${COUNTING_SETTING} = on;
      return query select o.* from open_quotes o where currency is null or o.source_currency = currency;
      set local ${COUNTING_SETTING} = off`,
    sets: true,
  },
  {
    // In a policy of a whole table: Citus calls itself without end where that names a distributed one.
    signature: "citus_sees(settlement text)",
    answers: "boolean",
    body: `return exists (select 1 from settlements s where s.id = settlement
      and s.partner_id = nullif(current_setting('service.partner', true), '')::uuid)`,
  },
];

/** Planned at each call: a kept plan has the columns of before a migration, and fails from then on until its session ends. */
const PAY = "return query execute 'select * from citus_owe($1, $2)'";

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
      ${PAY} using transfer, s;
    end $body$`,
  // Makes the payments of confirmations whose records wait. They are committed, so the owner sees them, and copies the payments from them itself.
  // Call it before the transaction writes on that node: Citus lets no second role read there afterwards.
  `create or replace function citus_owe_waiting(partner uuid, owners text[]) returns setof transfers
    language plpgsql security definer set search_path = public, pg_temp as $body$
    declare
      wanted jsonb := (select jsonb_object_agg(o.settlement_id, o.transfer_id) from citus_outbox o
        where o.partner_id = partner and o.settlement_id = any(owners) and o.transfer_id is not null);
      s settlements; begin
      for s in select w.* from settlements w where w.partner_id = partner and w.id = any(array(select jsonb_object_keys(wanted)))
        and w.status = 'processing' order by w.id loop
        ${PAY} using wanted ->> s.id, s;
      end loop;
    end $body$`,
  // Of many, by partner: one statement on its node.
  `create or replace function citus_owe_many(asked jsonb) returns setof transfers
    language plpgsql set search_path = public, pg_temp as $body$
    declare
      wanted jsonb := (select jsonb_object_agg(a.owner, a.id) from jsonb_to_recordset(asked) as a(id text, owner text));
      partner uuid; owners text[]; s settlements; seen integer; begin
      for partner, owners in select a.partner, array_agg(a.owner) from jsonb_to_recordset(asked) as a(owner text, partner uuid)
        group by 1 order by 1 loop
        seen := 0;
        for s in select o.* from settlements o where o.partner_id = partner and o.id = any(owners) and o.status = 'processing'
          order by o.id for update loop
          seen := seen + 1;
          ${PAY} using wanted ->> s.id, s;
        end loop;
        if seen <> cardinality(owners) then
          raise exception 'a settlement of % owes no payment', partner using errcode = 'restrict_violation';
        end if;
      end loop;
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

/**
 * As `archive_rows`, of distributed tables: one partner's rows after another's, because Citus locks rows of one node in a statement. What the
 * deletes return goes to the archive. A trigger on a node cannot see that, because the archive is the coordinator's. There a quote may be
 * deleted in a transaction that says so. Only the owner has that right, and only this function says it.
 */
const ARCHIVING = [
  `create or replace function citus_archive(what text, ids text[], before timestamptz) returns integer
    language plpgsql security definer set search_path = public, pg_temp as $body$
    declare
      instant timestamptz := business_now();
      till timestamptz := least(before, instant - interval '7 days');
      partner uuid; chosen text[]; q settlement_quotes; s settlements; a callback_attempts; moved integer := 0;
    begin
      -- Makes this month's part of the archive.
      perform archive_rows('api_log', '{}', before);
      set local service.archiving = on;
      if what = 'lapsed_quotes' then
        for partner in select distinct c.partner_id from settlements c where c.id = any(ids) order by 1 loop
          chosen := array(select c.id from settlements c where c.partner_id = partner and c.id = any(ids) and c.status = 'quoted'
            and c.approval_state is null and c.expires_at < till
            and not exists (select from citus_outbox o where o.partner_id = partner and o.settlement_id = c.id) order by c.id for update skip locked);
          for q in delete from settlement_quotes d where d.partner_id = partner and d.settlement_id = any(chosen) returning d.* loop
            insert into archived_rows (kind, id, row) values ('settlement_quotes', q.settlement_id || ' ' || q.version, to_jsonb(q));
          end loop;
          for s in delete from settlements d where d.partner_id = partner and d.id = any(chosen) returning d.* loop
            insert into archived_rows (kind, id, row) values ('settlements', s.id, to_jsonb(s));
            moved := moved + 1;
          end loop;
        end loop;
      elsif what = 'callback_attempts' then
        for partner in select distinct c.partner_id from callbacks c where c.id = any(ids) order by 1 loop
          chosen := array(select c.id from callbacks c where c.partner_id = partner and c.id = any(ids) and c.state <> 'pending'
            and c.extra_attempt_id is null and c.lease_token is null
            and coalesce(c.delivered_at, c.undelivered_at) < till order by c.id for update skip locked);
          for a in delete from callback_attempts d where d.partner_id = partner and d.callback_id = any(chosen) returning d.* loop
            insert into archived_rows (kind, id, row) values ('callback_attempts', a.id, to_jsonb(a));
            moved := moved + 1;
          end loop;
          update callbacks c set attempts_archived_at = instant where c.partner_id = partner and c.id = any(chosen);
        end loop;
      end if;
      set local service.archiving = off;
      return moved;
    end $body$`,
  `create or replace function citus_keep_quotes() returns trigger language plpgsql as $body$ begin
      if tg_op = 'DELETE' and current_setting('service.archiving', true) = 'on' then return old; end if;
      raise exception '% is append only', tg_table_name using errcode = 'restrict_violation';
    end $body$`,
  `create or replace trigger append_only before update or delete on settlement_quotes for each row execute function citus_keep_quotes()`,
];

/**
 * Whether the coordinator takes part in a transaction's commit is known at its end: a transaction has a number there if it has written or
 * locked a row of an ordinary table. Then it commits with the nodes in two phases, because it writes a table that Citus knows (`JOINT`).
 */
const JOINING = [
  `create or replace function citus_join() returns void language plpgsql as $body$ begin
      if pg_current_xact_id_if_assigned() is not null then delete from citus_joint; end if;
    end $body$`,
];

/** As in the other layout of parts: inlined, so that the planner sees the partner. */
const OF_PARTNER = ["of_partner", "of_partner_or_unsaid"].map(
  (name) => `create or replace function ${name}(uuid, uuid) returns boolean language sql immutable parallel safe as 'select $1 = $2'`,
);

/** Statements that make them, or make them again. */
export const CITUS_FUNCTIONS = READS.map(
  ({ signature, answers, body, sets }) =>
    `create or replace function ${signature} returns ${answers} language plpgsql ${sets ? "volatile" : "stable"} as $body$ begin ${body}; end $body$`,
).concat(OF_PARTNER, OWING, OWED_IS_KEPT, ARCHIVING, JOINING);
