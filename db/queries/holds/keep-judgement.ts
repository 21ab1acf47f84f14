import type { Database } from "#db/client.ts";
import { type DatedEntry, insertAuditEntries } from "#db/queries/audit/audit-entries.ts";
import { addCharges, type Charge } from "#db/queries/exposure/counters.ts";
import { sendAhead, sentTogether } from "#db/transaction.ts";
import { insertHolds, insertVerdicts, type KeptVerdict, type NewHold } from "./payment-holds.ts";

/** The checks' verdicts on payments, their amounts for limits, the resulting holds, and the audit entries. */
export type Judgement = {
  verdicts: readonly KeptVerdict[];
  charges: readonly Charge[];
  holds: readonly NewHold[];
  entries: readonly DatedEntry[];
};

/** Writes it, ahead of what follows. The transfers are stored, or were sent ahead themselves. */
export async function keepJudgement(tx: Database, { verdicts, charges, holds, entries }: Judgement): Promise<void> {
  const writes = [insertVerdicts(tx, verdicts), addCharges(tx, charges), insertHolds(tx, holds), insertAuditEntries(tx, entries)];
  await sendAhead(tx, sentTogether(...writes));
}
