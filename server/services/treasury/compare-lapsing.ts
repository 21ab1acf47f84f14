import { listKnownLapsing } from "#db/queries/transfers/lapsing-attempts.ts";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { listLostHashes } from "#db/queries/transfers/treasury-losses.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import { type LapsingEntry, owedBy } from "#domain/lapsing-journal.ts";
import { judgeReports, type LapsingEnd, type LapsingVerdict } from "#domain/lapsing-report.ts";
import { TRANSFER_PURPOSES, type Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { askNodes, listAnswering } from "#server/services/ledger/ask-lapsing-nodes.ts";

/**
 * What became of a payment: every node shows it in a final block (`paid`), it came to nothing (`ended`), it may still be included (`open`), or
 * the nodes do not say (`unknown`).
 */
export type LapsingFate = { fate: "paid"; end: LapsingEnd } | { fate: "ended" | "open" | "unknown" };

/**
 * A payment of the signer's journal that the database does not know. `transfer`: what it pays here, of several the first; null: nobody owes
 * that here.
 */
export type LostAttempt = LapsingFate & { entry: LapsingEntry; transfer: Transfer | null };

/** `lost`: without those that are booked as losses. */
export type LapsingComparison = { chain: string; lost: LostAttempt[] };

/**
 * Compares the payments that the signer's journal has on each chain where they lapse with the database: after a restore the journal is ahead.
 * The chain says what became of those that the database does not know. It changes nothing.
 *
 * @param entries of the journal, of every chain
 */
export async function compareLapsing(ctx: Uses<"db" | "lapsing">, entries: readonly LapsingEntry[]): Promise<LapsingComparison[]> {
  const compared: LapsingComparison[] = [];
  for (const chain of ctx.lapsing.list()) {
    const own = entries.filter((entry) => entry.chain === chain.chain);
    const ids = own.map(({ id }) => id);
    const known = new Set([...(await listKnownLapsing(ctx.db, ids)), ...(await listLostHashes(ctx.db, chain.chain, ids))]);
    const lost: LostAttempt[] = [];
    for (const entry of own)
      if (!known.has(entry.id)) lost.push({ entry, transfer: await owedFor(ctx, entry), ...(await readFate(chain, entry)) });
    compared.push({ chain: chain.chain, lost });
  }
  return compared;
}

/** What the nodes say of a payment of the journal. Every configured node must show that it was paid. */
export async function readFate(chain: LapsingChain, entry: LapsingEntry): Promise<LapsingFate> {
  const { id, after, expiry, bytes } = entry;
  const reports = await askNodes(await listAnswering(chain), chain.identity, { id, after, expiry, bytes });
  const asked = { state: "sent" as const, after, expiry, owed: owedBy(entry) };
  return fateOf(judgeReports(asked, reports, { configured: chain.nodes.length, toPay: chain.nodes.length }));
}

function fateOf(verdict: LapsingVerdict): LapsingFate {
  switch (verdict.next) {
    case "pay":
      return { fate: "paid", end: verdict.end };
    case "lapse":
    case "fail":
      return { fate: "ended" };
    case "send":
    case "see":
    case "drop":
      return { fate: "open" };
    case "wait":
      return { fate: "unknown" };
  }
}

async function owedFor({ db }: Uses<"db">, { owner, members = [] }: LapsingEntry): Promise<Transfer | null> {
  for (const one of [owner, ...members.map((member) => member.owner)]) {
    const [named, ownerId = ""] = one.split(":");
    const purpose = TRANSFER_PURPOSES.find((each) => each === named);
    const transfer = purpose === undefined ? null : await findTransferOf(db, purpose, ownerId);
    if (transfer !== null) return transfer;
  }
  return null;
}
