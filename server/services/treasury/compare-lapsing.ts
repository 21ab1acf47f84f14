import { listKnownLapsing } from "#db/queries/transfers/lapsing-attempts.ts";
import { listOwnersHere } from "#db/queries/transfers/pack-members.ts";
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

/** A payment of a transaction, and what it pays here; null: nobody owes that here. */
export type MadePayment = Pick<LapsingEntry, "owner" | "recipient" | "amountBase"> & { transfer: Transfer | null };

/**
 * A transaction of the signer's journal that the database does not know. `payments`: what it makes, one or several; `transfer`: the first of
 * them that is owed here; null: none is. `isPart`: of a transaction that the database knows, with its fee; then only what nobody owes here.
 */
export type LostAttempt = LapsingFate & {
  entry: LapsingEntry;
  payments: readonly MadePayment[];
  transfer: Transfer | null;
  isPart: boolean;
};

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
    const [known, booked] = [new Set(await listKnownLapsing(ctx.db, ids)), new Set(await listLostHashes(ctx.db, chain.chain, ids))];
    const open = own.filter(({ id }) => !booked.has(id));
    const lost: LostAttempt[] = [];
    for (const entry of open) {
      if (known.has(entry.id)) continue;
      const payments = await listPayments(ctx, entry);
      const transfer = payments.find((one) => one.transfer !== null)?.transfer ?? null;
      lost.push({ entry, payments, transfer, isPart: false, ...(await readFate(chain, entry)) });
    }
    const taken = open.filter(({ id }) => known.has(id));
    for (const part of await listParts(ctx, taken)) {
      const fate = await readFate(chain, part.whole);
      const payments = (part.missing.members ?? []).map((member) => ({ ...member, transfer: null }));
      if (fate.fate !== "ended") lost.push({ entry: part.missing, payments, transfer: null, isPart: true, ...fate });
    }
    compared.push({ chain: chain.chain, lost });
  }
  return compared;
}

/** Of transactions that make several payments and are known here: those of their payments that no row has, because a restore lost them. */
async function listParts({ db }: Uses<"db">, entries: readonly LapsingEntry[]): Promise<{ whole: LapsingEntry; missing: LapsingEntry }[]> {
  const here = await listOwnersHere(
    db,
    entries.flatMap(({ members = [] }) => members.map(({ owner }) => owner)),
  );
  return entries.flatMap((whole) => {
    const members = (whole.members ?? []).filter(({ owner }) => !here.has(owner));
    const amountBase = members.reduce((sum, member) => sum + member.amountBase, 0n);
    return members.length === 0 ? [] : [{ whole, missing: { ...whole, members, amountBase } }];
  });
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

async function listPayments({ db }: Uses<"db">, { owner, recipient, amountBase, members }: LapsingEntry): Promise<MadePayment[]> {
  const payments: MadePayment[] = [];
  for (const member of members ?? [{ owner, recipient, amountBase }]) {
    const [named, ownerId = ""] = member.owner.split(":");
    const purpose = TRANSFER_PURPOSES.find((each) => each === named);
    payments.push({ ...member, transfer: purpose === undefined ? null : await findTransferOf(db, purpose, ownerId) });
  }
  return payments;
}
