import type { Database } from "#db/client.ts";
import { digestLedger, listBalancesBefore, listGone } from "#db/queries/attestations/attested-books.ts";
import type { RuleOutcome } from "#db/queries/audit/rules/rule.ts";
import { type Attestation, type AttestedBalance, type LedgerDigest, NO_LEDGER } from "#domain/attestation.ts";
import { exactText } from "#domain/money.ts";
import { Findings } from "#server/services/ledger/audit-report.ts";
import type { Genuine } from "./read-genuine.ts";

/** The ledger up to each attested day is as it was attested: its entries, its balances, and the rows that are never removed. */
export async function auditAttestedBooks(db: Database, genuine: readonly Genuine[]): Promise<RuleOutcome> {
  const findings = new Findings();
  const newest = genuine.at(-1)?.attestation;
  let reached: { day: string | null; digest: LedgerDigest } = { day: null, digest: NO_LEDGER };
  let isBroken = false;
  for (const { attestation } of genuine) {
    const { day, ledger, positions } = attestation;
    const before = reached.day;
    reached = { day, digest: await digestLedger(db, { from: reached, to: day }) };
    // After the first difference every later digest differs as well.
    const faults: string[] = isBroken ? [] : entryFaults(ledger, reached.digest, { day, before });
    isBroken ||= faults.length > 0;
    faults.push(...unbalanced(ledger));
    if (attestation === newest) {
      faults.push(...balanceFaults(ledger.balances, await listBalancesBefore(db, day, { snapshots: false }), day));
      for (const { table, last_id } of await listGone(db, positions))
        faults.push(`${last_id} is no longer in ${table}: it was removed, or the database is older`);
    }
    findings.check(day, faults);
  }
  return findings.outcome("attested_books_are_unchanged", "the ledger before each attested day has the same entries and balances as then");
}

function entryFaults(
  attested: Attestation["ledger"],
  now: LedgerDigest,
  { day, before }: { day: string; before: string | null },
): string[] {
  const span = before === null ? `before ${day}` : `before ${day} and since ${before}`;
  const missing = attested.entries - now.entries;
  if (missing > 0)
    return [`${missing} of the ledger's ${attested.entries} entries from before ${day} ${missing === 1 ? "is" : "are"} gone`];
  if (missing < 0)
    return [`the ledger has ${-missing} more ${missing === -1 ? "entry" : "entries"} from before ${day} than when it was attested`];
  return attested.digest === now.digest ? [] : [`an entry of the ledger from ${span} was changed after it was attested`];
}

/** Of each asset debits and credits are equal. */
function unbalanced({ trial_balance }: Attestation["ledger"]): string[] {
  return trial_balance.flatMap(({ debit, credit, decimals, ...asset }) => {
    const units = (amount: string) => exactText(BigInt(amount), decimals);
    return debit === credit
      ? []
      : [`the ledger did not balance when it was attested: ${units(debit)} and ${units(credit)} ${nameOf(asset)}`];
  });
}

function balanceFaults(attested: readonly AttestedBalance[], now: readonly AttestedBalance[], day: string): string[] {
  const present = new Map(now.map((balance) => [keyOf(balance), balance]));
  const faults: string[] = [];
  for (const balance of attested) {
    const found = present.get(keyOf(balance));
    present.delete(keyOf(balance));
    if (found?.amount !== balance.amount) faults.push(differ(balance, balance.amount, found?.amount ?? "0", day));
  }
  return [...faults, ...[...present.values()].map((balance) => differ(balance, "0", balance.amount, day))];
}

function differ(balance: AttestedBalance, was: string, is: string, day: string): string {
  const units = (amount: string) => exactText(BigInt(amount), balance.decimals);
  const whose = balance.partner_id === null ? "" : ` of the partner ${balance.partner_id}`;
  return `the balance of ${balance.account}${whose} in ${nameOf(balance)} before ${day} was attested as ${units(was)}, and is ${units(is)}`;
}

function keyOf({ account, partner_id, currency, chain, decimals }: AttestedBalance): string {
  return [account, partner_id, currency, chain, decimals].join(" ");
}

function nameOf({ currency, chain }: { currency: string; chain: string | null }): string {
  return chain === null ? currency : `${currency} on ${chain}`;
}
