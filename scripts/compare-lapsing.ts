import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { By } from "#domain/access.ts";
import type { LapsingEntry } from "#domain/lapsing-journal.ts";
import { exactText } from "#domain/money.ts";
import { readAsFarAsPossible } from "#server/adapters/journal/read-lines.ts";
import type { LapsingDirectory } from "#server/ports.ts";
import { bookLapsingLoss } from "#server/services/treasury/book-lapsing-loss.ts";
import { compareLapsing, type LostAttempt } from "#server/services/treasury/compare-lapsing.ts";

/** The part of `npm run compare` for chains whose payments lapse: the signing journal knows what the database has lost. */

type Context = Parameters<typeof compareLapsing>[0];

/** Where the signing journal is. */
export const journalPath = () => process.env.SIGNING_JOURNAL || join(process.env.DATA_DIR || ".data", "signing-journal.log");

/** Every payment of the journal that lapses and may have paid; null: there is no journal here. */
export function journalEntries({ list }: LapsingDirectory, path = journalPath()): LapsingEntry[] | null {
  if (!existsSync(path)) return null;
  const { state } = readAsFarAsPossible(readFileSync(path)).lines;
  return list().flatMap(({ chain }) => state.lapsing.attempts(chain));
}

/** What to print, and how much of it is left to explain. */
export async function describeLapsing(ctx: Context): Promise<{ lines: string[]; open: number }> {
  const { lapsing } = ctx;
  if (lapsing.list().length === 0) return { lines: [], open: 0 };
  const entries = journalEntries(lapsing);
  if (entries === null) {
    const lines = lapsing
      .list()
      .map(({ chain }) => `${chain}: cannot be compared here: ${journalPath()} is missing. Run it on the signer's machine`);
    return { lines, open: lines.length };
  }
  const compared = await compareLapsing(ctx, entries);
  const lines = compared.flatMap(({ chain, lost }) => [
    `${chain}: the signing journal has ${lost.length} payments that the database does not know`,
    ...lost.map((one) => describe(ctx.lapsing, one)),
  ]);
  // What is owed here ends by itself.
  return { lines, open: compared.flatMap(({ lost }) => lost.filter(({ transfer, fate }) => transfer === null && fate !== "ended")).length };
}

const FATES = {
  paid: "was paid by",
  ended: "was to be paid by",
  open: "may still be paid by",
  unknown: "has a payment of which no node says enough:",
} as const satisfies Record<LostAttempt["fate"], string>;
const NEXT = {
  paid: "it ends once the halt is lifted",
  ended: "which came to nothing: it is made again once the halt is lifted",
  open: "the worker follows it once the halt is lifted",
  unknown: "nothing is signed for it before they do",
} as const satisfies Record<LostAttempt["fate"], string>;

function describe({ find }: LapsingDirectory, { entry, transfer, fate }: LostAttempt): string {
  const { chain, token, amountBase, recipient, id, owner } = entry;
  const asset = find(chain)?.tokens.find(({ address }) => address === token);
  const what = `${asset === undefined ? amountBase : exactText(amountBase, asset.decimals)} ${asset?.currency ?? token} to ${recipient}`;
  if (transfer !== null) return `  ${transfer.id} (${owner}, ${what}) ${FATES[fate]} ${id}: ${NEXT[fate]}`;
  const end = { paid: "paid", ended: "came to nothing", open: "may still be paid", unknown: "no node says enough of it" }[fate];
  return `  ${id} (${owner}, ${what}): nobody owes that here, ${end}: confirmed after the backup`;
}

/** Proposes to book payments of the journal as lost; answers what to print, and the ids that are none of them. */
export async function proposeLapsingLosses(
  ctx: Parameters<typeof bookLapsingLoss>[0],
  { by, hashes, reason }: { by: By; hashes: readonly string[]; reason: string },
): Promise<{ lines: string[]; others: string[] }> {
  const entries = (journalEntries(ctx.lapsing) ?? []).filter(({ id }) => hashes.includes(id));
  const lines: string[] = [];
  for (const chain of ctx.lapsing.list()) {
    const own = entries.filter((entry) => entry.chain === chain.chain);
    if (own.length === 0) continue;
    const { result, proposal } = await bookLapsingLoss(ctx, { by, chain, entries: own, reason });
    lines.push(`${result === null ? "proposed" : "booked"} ${proposal.id} ${chain.chain}: ${own.length} lost`);
  }
  return { lines, others: hashes.filter((hash) => !entries.some(({ id }) => id === hash)) };
}
