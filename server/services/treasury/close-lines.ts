import type { Database } from "#db/client.ts";
import { insertLedgerEntries, insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { saveLine } from "#db/queries/transfers/suspense-lines.ts";
import { recoverLoss } from "#db/queries/transfers/treasury-losses.ts";
import { assetOf, isCounted, type LineResolution, lineReference, lineSuspended, type SuspenseLine } from "#domain/suspense-line.ts";
import { reversalOf, treasuryFunded } from "#domain/treasury-entries.ts";

type Closing = { resolution: LineResolution; proposalId: string | null; now: Date };

/**
 * Explains locked lines, in the transaction that books what they were. Where the ledger has them in suspense, that entry is reversed first: the right
 * entry counts the movement from then on.
 */
export async function closeLines(tx: Database, lines: readonly SuspenseLine[], { resolution, proposalId, now }: Closing): Promise<void> {
  const suspended = lines.filter(isInSuspense);
  await insertLedgerEntries(
    tx,
    suspended.map((line) => reversalOf(lineSuspended(line, line.bookings), "reversed")),
    now,
  );
  for (const line of lines) await saveLine(tx, { ...line, state: "booked", resolution, proposalId, resolvedAt: now });
}

/** Books a locked line as the operator's deposit. */
export async function fundByLine(tx: Database, line: SuspenseLine, { proposalId, now }: Omit<Closing, "resolution">): Promise<void> {
  await closeLines(tx, [line], { resolution: "funding", proposalId, now });
  await insertLedgerEntry(tx, funding(line), now);
}

/** Takes back what was booked for a locked line, because a deep reorg has removed it from the chain. */
export async function takeLineBack(tx: Database, line: SuspenseLine, now: Date): Promise<void> {
  if (isInSuspense(line)) await insertLedgerEntry(tx, reversalOf(lineSuspended(line, line.bookings), "reversed"), now);
  if (line.resolution === "funding") await insertLedgerEntry(tx, reversalOf(funding(line), "reversed"), now);
  if (line.resolution === "loss") await recoverLoss(tx, line.chain, line.hash, now);
  await saveLine(tx, { ...line, state: "gone", resolution: null, proposalId: null, resolvedAt: null });
}

/** Whether the ledger's suspense account has it. */
function isInSuspense(line: SuspenseLine): boolean {
  return isCounted(line) && line.state === "booked" && line.bookings > 0 && line.resolution === null;
}

/** How references of declared deposits end: apart from the line's own entries, because both may be reversed. */
export const FUNDING = ":funding";

function funding(line: SuspenseLine) {
  const reference = `${lineReference(line, line.bookings)}${FUNDING}`;
  return treasuryFunded(assetOf(line), line.amountBase, { step: "funded", reference });
}
