import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { By } from "#domain/access.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { LapsingEntry, LapsingJournal } from "#domain/lapsing-journal.ts";
import { exactText } from "#domain/money.ts";
import { openDisk } from "#server/adapters/journal/disk.ts";
import { openJournal } from "#server/adapters/journal/open-journal.ts";
import { readAsFarAsPossible } from "#server/adapters/journal/read-lines.ts";
import type { LapsingDirectory } from "#server/ports.ts";
import { bookLapsingLoss } from "#server/services/treasury/book-lapsing-loss.ts";
import { compareLapsing, type LostAttempt } from "#server/services/treasury/compare-lapsing.ts";
import { type CompleteJournal, completeJournal } from "#server/services/treasury/complete-journal.ts";
import { findUnknownSent, type UnknownOnChain } from "#server/services/treasury/find-unknown-sent.ts";

/** The part of `npm run compare` for chains whose payments lapse: the signing journal knows what the database has lost. */

type Context = Parameters<typeof compareLapsing>[0];

/** Where the signing journal is. */
export const journalPath = () => process.env.SIGNING_JOURNAL || join(process.env.DATA_DIR || ".data", "signing-journal.log");

/** The journal, and every payment of it that lapses and may have paid; null: there is no journal here. */
function journalEntries({ list }: LapsingDirectory, path = journalPath()): { journal: LapsingJournal; list: LapsingEntry[] } | null {
  if (!existsSync(path)) return null;
  const journal = readAsFarAsPossible(readFileSync(path)).lines.state.lapsing;
  return { journal, list: list().flatMap(({ chain }) => journal.attempts(chain)) };
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
  const unknown = await findUnknownSent(ctx, entries.journal);
  const compared = await compareLapsing(ctx, entries.list);
  const beyond = unknown.flatMap((one) => describeUnknown(one));
  const lines = compared.flatMap(({ chain, lost }) => [
    `${chain}: the signing journal has ${lost.flatMap(({ payments }) => payments).length} payments that the database does not know`,
    ...lost.flatMap((one) => describe(ctx.lapsing, one)),
  ]);
  // What is owed here ends by itself.
  const lost = compared.flatMap((one) =>
    one.lost.flatMap(({ payments, fate }) => payments.filter(({ transfer }) => transfer === null && fate !== "ended")),
  );
  return { lines: [...beyond, ...lines], open: lost.length + beyond.length };
}

/** What neither the journal nor, most likely, the database has. */
function describeUnknown({ chain, nodes, unknown }: UnknownOnChain): string[] {
  if (nodes === 0) return [`${chain.chain}: cannot be compared: no node shows what the wallets have paid`];
  if (unknown.length === 0) return [];
  return [
    `${chain.chain}: the wallets have made ${unknown.length} payments that the signing journal does not have: nothing is signed there`,
    ...unknown.map(({ id, at, wallet, moves, payments }) => {
      const what = moves.map(({ token, recipient, amountBase }) => `${amountOf(chain, token, amountBase)} to ${recipient}`).join(", ");
      const made = payments.map((alike) =>
        alike.length === 0 ? "nobody owes that here" : `made ${alike.map((one) => one.id).join(" or ")}`,
      );
      return `  ${id} (${at.toISOString()}, ${wallet}: ${what}): ${made.join(", ")}`;
    }),
    "  Add them to the journal with --add-to-journal, unless somebody else has a key",
  ];
}

function amountOf({ tokens }: Pick<LapsingChain, "tokens">, token: string | null, amountBase: bigint): string {
  const asset = tokens.find(({ address }) => address === token);
  return `${asset === undefined ? amountBase : exactText(amountBase, asset.decimals)} ${asset?.currency ?? token}`;
}

/** Adds to the journal what the wallets have paid and it does not have; answers what to print, and how much of it is still open. */
export async function addToJournal(
  ctx: Parameters<typeof completeJournal>[0],
  command: Omit<CompleteJournal, "journal">,
): Promise<{ lines: string[]; open: number }> {
  const completed = await completeJournal(ctx, { ...command, journal: openJournal(openDisk(journalPath())) });
  const lines = completed.map((one) => {
    if (!one.added) return `not added ${one.id}: ${one.why}`;
    return `added ${one.id}: ${one.payments.length === 0 ? "nobody owes that here" : `it made ${one.payments.join(", ")}`}`;
  });
  return { lines, open: completed.filter(({ added }) => !added).length };
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

const ENDS = {
  paid: "paid",
  ended: "came to nothing",
  open: "may still be paid",
  unknown: "no node says enough of it",
} as const satisfies Record<LostAttempt["fate"], string>;

/** A line for each payment, with the one transaction that makes several of them. */
function describe({ find }: LapsingDirectory, { entry, payments, fate }: LostAttempt): string[] {
  const { chain, token, id } = entry;
  return payments.map(({ owner, recipient, amountBase, transfer }) => {
    const what = `${owner}, ${amountOf(find(chain) ?? { tokens: [] }, token, amountBase)} to ${recipient}`;
    if (transfer !== null) return `  ${transfer.id} (${what}) ${FATES[fate]} ${id}: ${NEXT[fate]}`;
    return `  ${id} (${what}): nobody owes that here, ${ENDS[fate]}: confirmed after the backup`;
  });
}

/** Proposes to book payments of the journal as lost; answers what to print, and the ids that are none of them. */
export async function proposeLapsingLosses(
  ctx: Parameters<typeof bookLapsingLoss>[0],
  { by, hashes, reason }: { by: By; hashes: readonly string[]; reason: string },
): Promise<{ lines: string[]; others: string[] }> {
  const entries = (journalEntries(ctx.lapsing)?.list ?? []).filter(({ id }) => hashes.includes(id));
  const lines: string[] = [];
  for (const chain of ctx.lapsing.list()) {
    const own = entries.filter((entry) => entry.chain === chain.chain);
    if (own.length === 0) continue;
    const { result, proposal } = await bookLapsingLoss(ctx, { by, chain, entries: own, reason });
    lines.push(`${result === null ? "proposed" : "booked"} ${proposal.id} ${chain.chain}: ${own.length} lost`);
  }
  return { lines, others: hashes.filter((hash) => !entries.some(({ id }) => id === hash)) };
}
