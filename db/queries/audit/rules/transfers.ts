import { type SQL, sql } from "drizzle-orm";
import { unbookedAttempts } from "#db/queries/ledger/network-fees.ts";
import { IS_UNBOOKED } from "#db/queries/transfers/unexplained-payments.ts";
import { type AuditRule, type AuditScope, type AuditSlice, inScope } from "./rule.ts";
import { transactionsOf } from "./transactions-of.ts";

/** Rules about transfers, their one valid transaction and its attempts. */
export function transferRules(scope: AuditScope | AuditSlice): AuditRule[] {
  const within = inScope(scope, "transfer", sql`t.id`);
  const proven = inScope(scope, "transfer", sql`p.transfer_id`);
  return [
    {
      name: "transfer_has_one_transaction",
      title: "what was sent has one place in one wallet's sequence, does what is owed, and every attempt at it has that place",
      checked: sql`select count(*) from transfers t where ${within}`,
      violations: sql`
        select t.id, format('is %s, and its transaction %s', t.state, coalesce(x.id, 'is missing')), t.chain
        from transfers t left join transactions x on x.transfer_id = t.id and x.superseded_at is null left join wallets w on w.id = x.wallet_id
        where ${within} and case when x.id is null then t.state not in ('queued', 'failed') and not exists (select 1 from transfer_proofs p where p.transfer_id = t.id)
            and not ${IS_MEMBER} and not ${HAS_LAPSING_ATTEMPT}
          else t.state = 'queued' or w.chain <> t.chain
          or case when t.call_data is not null then lower(x.to_address) is distinct from lower(t.call_to) or x.value_base <> coalesce(t.call_value_base, 0)
              or x.data <> t.call_data
            when t.token_address is null then lower(x.to_address) is distinct from lower(t.recipient) or x.value_base <> t.amount_base
            else lower(x.to_address) is distinct from lower(t.token_address) or x.value_base <> 0 end end`,
    },
    {
      name: "one_log_one_transfer",
      title: "each Transfer log of a packed transaction paid one payment, and what a packed transaction paid has its hash and its log",
      checked: sql`select count(*) from pack_members m join transfers t on t.id = m.transfer_id where ${within}`,
      violations: sql`
        select t.id, format('is %s by %s, and its packed transaction says %s by %s at log %s', t.state, t.tx_hash, coalesce(m.outcome, 'nothing'), p.tx_hash, m.log_index), t.chain
        from pack_members m join transfers t on t.id = m.transfer_id join transfers p on p.id = m.pack_id
        where ${within} and (p.purpose <> 'pack' or p.chain <> t.chain or lower(p.token_address) is distinct from lower(t.token_address)
          or (m.outcome is null) <> (t.state = 'packed') or (m.outcome is null) <> (p.state not in ('executed', 'failed'))
          or (m.outcome = 'paid' and (t.state <> 'executed' or t.tx_hash is distinct from p.tx_hash or t.block_hash is distinct from p.block_hash))
          or (m.outcome in ('paid', 'refused', 'unclear') and p.state <> 'executed') or (m.outcome = 'unpaid' and p.state <> 'failed'))
        union all
        select t.id, format('is proved by log %s of %s, which paid another', r.log_index, r.hash), t.chain
        from pack_members m join transfers t on t.id = m.transfer_id
          join transfer_proofs r on r.chain = t.chain and r.hash = t.tx_hash and r.log_index = m.log_index
        where ${within} and m.outcome = 'paid'`,
    },
    {
      name: "transfer_has_an_owner",
      title:
        "every payment is of a settlement, a top-up, a withdrawal, a deployment or a treasury withdrawal that is there, or moves nothing (a missing nonce, an allowance), or packs payments whose sum it is",
      checked: sql`select count(*) from transfers t where ${within}`,
      violations: sql`
        select t.id, format('is a %s of %s, which is not there', t.purpose, t.owner_id), t.chain from transfers t
        where ${within} and not ${HAS_OWNER}`,
    },
    {
      // By the real clock: blocks do not follow the sandbox's clock.
      name: "mined_has_ended",
      title: "what is in a block is final within an hour, and its owner knows",
      checked: sql`select count(*) from transfers t where ${within} and t.state = 'mined'`,
      violations: sql`
        select t.id, format('is in a block since %s, and has not ended', t.updated_at), t.chain from transfers t
        where ${within} and t.state = 'mined' and t.updated_at < clock_timestamp() - interval '1 hour'`,
    },
    {
      name: "outflow_is_explained",
      isWhole: true,
      title: "what left a treasury wallet or a Safe in an unknown transaction is explained within three days",
      checked: sql`select count(*) from unexplained_payments`,
      violations: sql`
        select u.hash, format('took %s of %s out of %s on %s, and is not booked', u.amount_base, coalesce(u.token, 'the coin'), u.sender, u.chain), null
        from unexplained_payments u where u.found_at < business_now() - interval '3 days' and ${IS_UNBOOKED}
        union all
        select l.hash, format('took %s of %s out of %s on %s, and is in suspense', l.amount_base, l.currency, l.sender, l.chain), null
        from suspense_lines l where l.found_at < business_now() - interval '3 days' and l.direction = 'out' and l.resolution is null and l.state <> 'gone'
          and not exists (select 1 from unexplained_payments u where u.chain = l.chain and u.hash = l.hash)`,
    },
    {
      name: "cancellation_was_asked",
      title:
        "a payment was replaced by an empty transfer only where an operator asked for it, or where its nonce was spent without a payment",
      checked: sql`select count(*) from transfers t cross join lateral ${transactionsOf(sql`t.id`)} x join transaction_attempts a on a.transaction_id = x.id
        where ${within} and a.kind = 'cancellation'`,
      violations: sql`
        select t.id, format('nonce %s has a cancellation that no person requested', x.nonce), t.chain
        from transfers t join transactions x on x.transfer_id = t.id
        where ${within} and exists (select 1 from transaction_attempts a where a.transaction_id = x.id and a.kind = 'cancellation')
          and x.superseded_at is null and t.state not in ('failed', 'needs_review')
          and not exists (select 1 from audit_entries e where e.object_id = t.id and e.action = 'transfer.cancel_requested')`,
    },
    {
      name: "signed_was_screened",
      title: "where recipients are screened, nothing was signed but with a screening that allowed it, in the same moment",
      checked: sql`select count(*) from ${screenedPayments(within)}`,
      violations: sql`
        select t.id, format('was signed %s without a screening that allowed it', t.signed_at), t.chain
        from ${screenedPayments(within)} where not exists (select 1 from payment_verdicts v
          where v.owner_id = t.owner_id and v.purpose = t.purpose and v.check = 'screening' and v.stage = 'sign' and v.outcome = 'pass'
            and v.at = t.signed_at)`,
    },
    {
      name: "superseded_had_the_same_intent",
      title:
        "a nonce that was spent without a payment was of a wallet on the transfer's chain, and for the very payment that was made again",
      checked: sql`select count(*) from transactions x join transfers t on t.id = x.transfer_id where ${within} and x.superseded_at is not null`,
      violations: sql`
        select t.id, format('nonce %s was spent without a payment on something else', x.nonce), t.chain
        from transactions x join transfers t on t.id = x.transfer_id join wallets w on w.id = x.wallet_id
        where ${within} and x.superseded_at is not null and (w.chain <> t.chain
          or exists (select 1 from ${transactionsOf(sql`t.id`)} s
            where (lower(s.to_address) is distinct from lower(x.to_address) or s.value_base <> x.value_base or s.data <> x.data)))`,
    },
    {
      name: "in_vain_is_left_alone",
      title:
        "under a nonce that was spent without a payment nothing was signed since but an empty transfer, and one that a fork took back is one of those",
      checked: sql`select count(*) from transactions x join transfers t on t.id = x.transfer_id where ${within} and x.superseded_at is not null`,
      violations: sql`
        select t.id, format('nonce %s was spent without a payment, and a payment was signed under it since', x.nonce), t.chain
        from transactions x join transfers t on t.id = x.transfer_id join transaction_attempts a on a.transaction_id = x.id
        where ${within} and x.superseded_at is not null and a.kind = 'payment' and a.signed_at > x.superseded_at
        union all
        select t.id, format('nonce %s hangs in the air, and is owed to another', x.nonce), t.chain
        from adrift_places p join transactions x on x.id = p.transaction_id join transfers t on t.id = x.transfer_id
        where ${within} and (x.transfer_id <> p.transfer_id or x.wallet_id <> p.wallet_id)`,
    },
    {
      name: "transfer_hash_is_an_attempt",
      title: "the hash of what was executed is that of one of its own signed payments, never of a cancellation, or of what proved it",
      checked: sql`select count(*) from transfers t where ${within} and t.state = 'executed'`,
      violations: sql`
        select t.id, format('was executed by %s, which is no payment of its own', t.tx_hash), t.chain
        from transfers t where ${within} and t.state = 'executed' and not exists (
          select 1 from transactions x join transaction_attempts a on a.transaction_id = x.id
          where x.transfer_id in (t.id, (select m.pack_id from pack_members m where m.transfer_id = t.id and m.outcome = 'paid'))
            and x.superseded_at is null and a.hash = t.tx_hash and a.kind = 'payment')
          and not exists (select 1 from lapsing_attempts a
            where a.transfer_id in (t.id, (select m.pack_id from pack_members m where m.transfer_id = t.id and m.outcome = 'paid'))
              and a.id = t.tx_hash and a.state = 'paid')
          and not exists (select 1 from transfer_proofs p where p.transfer_id = t.id and p.chain = t.chain and p.hash = t.tx_hash)`,
    },
    {
      name: "final_attempt_has_its_fee",
      title: "what each final transaction cost is booked exactly once, and the ledger posts just that",
      checked: sql`select count(*) from network_fees f where ${inScope(scope, "transfer", sql`f.transfer_id`)}`,
      violations: sql`
        select transfer_id, format('%s is final, and what it cost is not booked', hash), chain from (${unbookedAttempts(scope)}) missed
        union all
        select f.transfer_id, format('%s cost %s, and the ledger posts %s', f.hash, f.fee_base, coalesce(p.posted::text, 'nothing')), f.chain
        from network_fees f left join lateral (
          select sum(l.amount) as posted from ledger_entries e join ledger_postings l on l.entry_id = e.id and l.account = 'network_fees'
          where e.cause = 'transaction' and e.cause_id = f.id
        ) p on true
        where ${inScope(scope, "transfer", sql`f.transfer_id`)} and coalesce(p.posted, 0) <> f.fee_base`,
    },
    {
      name: "proof_proves_its_transfer",
      title: "what proved a transfer is what it was executed by, and no payment that was signed for another one",
      checked: sql`select count(*) from transfer_proofs p where ${proven}`,
      violations: sql`
        select p.transfer_id, format('is %s by %s, and its proof is %s in block %s', t.state, t.tx_hash, p.hash, p.block_number), p.chain
        from transfer_proofs p join transfers t on t.id = p.transfer_id where ${proven} and (t.state <> 'executed'
          or t.chain <> p.chain or t.tx_hash is distinct from p.hash or t.block_hash is distinct from p.block_hash or exists (
            select 1 from transaction_attempts a join transactions x on x.id = a.transaction_id where a.hash = p.hash and x.transfer_id <> t.id
              and not exists (select 1 from pack_members m where m.transfer_id = t.id and m.pack_id = x.transfer_id))
          or exists (select 1 from lapsing_attempts a where a.id = p.hash and a.transfer_id <> t.id
              and not exists (select 1 from pack_members m where m.transfer_id = t.id and m.pack_id = a.transfer_id)))`,
    },
  ];
}

/** A settlement's payment has its own rule. */
const HAS_OWNER = sql`case t.purpose
  when 'topup' then exists (select 1 from topups o where o.id = t.owner_id)
  when 'sweep' then exists (select 1 from withdrawals o where o.id = t.owner_id)
  when 'return' then exists (select 1 from withdrawals o where o.id = t.owner_id)
  when 'deployment' then exists (select 1 from safe_deployments o where o.id = t.owner_id)
  when 'treasury_withdrawal' then exists (select 1 from treasury_withdrawals o where o.id = t.owner_id)
  when 'filler' then t.amount_base = 0 and t.call_data = '0x' and exists (select 1 from wallets w
    where w.chain = t.chain and lower(w.address) = lower(t.recipient) and t.owner_id like w.id::text || ':%')
  when 'allowance' then t.amount_base = 0 and t.call_data like '0x095ea7b3%' and exists (select 1 from wallets w
    where w.chain = t.chain and lower(w.address) = lower(t.call_sender) and t.owner_id like w.id::text || ':%')
  when 'pack' then t.amount_base = (select sum(paid.amount_base) from pack_members m join transfers paid on paid.id = m.transfer_id where m.pack_id = t.id)
  else true end`;

/** It is paid, or not, by a packed transaction. */
const IS_MEMBER = sql`exists (select 1 from pack_members m where m.transfer_id = t.id)`;

/** An attempt at it on a chain whose payments lapse is as far as the payment itself. */
const HAS_LAPSING_ATTEMPT = sql`exists (select 1 from lapsing_attempts a join wallets w on w.id = a.wallet_id where a.transfer_id = t.id and w.chain = t.chain
  and a.state = case t.state when 'signed' then 'stored' when 'broadcast' then 'sent' when 'mined' then 'seen' when 'executed' then 'paid' else 'failed' end)`;

/** Payments that were signed while recipients were screened, each by its own transaction or by that of its pack. */
const screenedPayments = (within: SQL) => sql`(select t.*, x.created_at as signed_at from transfers t
  cross join lateral (select t.id as signed_for union all select m.pack_id from pack_members m where m.transfer_id = t.id) signed
  cross join lateral ${transactionsOf(sql`signed.signed_for`)} x
  where ${within} and t.purpose in ('settlement', 'topup')
    and (select s.is_on from screening_settings s where s.since <= x.created_at order by s.since desc limit 1)) t`;
