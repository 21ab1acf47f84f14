import type { Database } from "#db/client.ts";
import { type LapsingRow, listLapsingAfter } from "#db/queries/transfers/lapsing-attempts.ts";
import { listMembers } from "#db/queries/transfers/pack-members.ts";
import { listSignedAfter } from "#db/queries/transfers/signing-journal.ts";
import type { Attempt, OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { type JournalEntry, journalOwner, type SignedEntry } from "#domain/journal.ts";
import type { LapsingEntry } from "#domain/lapsing-journal.ts";
import { expiryOf } from "#domain/lapsing-report.ts";
import type { SignOrder } from "#domain/signer.ts";
import type { Transfer } from "#domain/transfer.ts";

const AT_ONCE = 1_000;

/** What the signing journal says of one signed attempt. */
export function signedEntry(
  { transfer, walletAddress, nonce, members }: OpenTransaction,
  { kind, hash, signedAt: at }: Pick<Attempt, "kind" | "hash" | "signedAt">,
): SignedEntry {
  const { chain, purpose, recipient, tokenAddress, amountBase } = transfer;
  const place = { chain, wallet: walletAddress, nonce, owner: journalOwner(transfer), hash, at };
  if (kind === "cancellation") return { ...place, kind, recipient: walletAddress, token: null, amountBase: 0n };
  const content = { recipient, token: tokenAddress, amountBase };
  if (purpose === "pack") return { ...place, ...content, kind: "packed", members: members.map(({ transfer: paid }) => memberOf(paid)) };
  return { ...place, ...content, kind: purpose === "filler" ? "filler" : kind };
}

const memberOf = (paid: Transfer) => ({ owner: journalOwner(paid), recipient: paid.recipient, amountBase: paid.amountBase });

/** What the signer is asked to sign under a transaction's nonce again: the payment, or the same payments in the same order. */
export function orderOf({ transfer, members }: { transfer: Transfer; members: readonly { transfer: Transfer }[] }): SignOrder["of"] {
  if (transfer.purpose !== "pack") return { transferId: transfer.id };
  return { pack: journalOwner(transfer), transferIds: members.map(({ transfer: { id } }) => id) };
}

/** Everything that the database knows as signed, in the order in which it came about. */
export async function listJournalEntries(db: Database): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (let after = ""; ; ) {
    const places = await listSignedAfter(db, after, AT_ONCE);
    for (const place of places) {
      entries.push(...place.attempts.map((attempt) => signedEntry(place, attempt)));
      if (place.supersededAt !== null) entries.push(spentEntry(place, place.transfer, place.supersededAt));
      const unpaid = place.members.filter(({ outcome }) => outcome === "refused" || outcome === "unpaid");
      for (const { transfer } of unpaid) entries.push(spentEntry(place, transfer, place.transfer.executedAt ?? place.transfer.createdAt));
    }
    if (places.length < AT_ONCE) break;
    after = places.at(-1)?.id ?? "";
  }
  return [...entries, ...(await listLapsingEntries(db))];
}

/** The attempts of payments that lapse, each with its end if it paid nothing. */
async function listLapsingEntries(db: Database): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (let after = ""; ; ) {
    const signed = await listLapsingAfter(db, after, AT_ONCE);
    const packs = signed.flatMap(({ transfer }) => (transfer.purpose === "pack" ? [transfer.id] : []));
    const members = Map.groupBy(await listMembers(db, packs), ({ packId }) => packId);
    for (const { attempt, transfer, walletAddress } of signed) {
      const entry = lapsingEntry(transfer, { ...attempt, walletAddress }, members.get(transfer.id));
      const { chain, owner, id } = entry;
      entries.push(entry);
      if (attempt.endedAt !== null && attempt.state !== "paid")
        entries.push({ kind: "lapsed", chain, owner, id, reason: `the database has it as ${attempt.state}`, at: attempt.endedAt });
    }
    if (signed.length < AT_ONCE) return entries;
    after = signed.at(-1)?.attempt.id ?? "";
  }
}

function lapsingEntry(
  transfer: Transfer,
  attempt: LapsingRow & { walletAddress: string },
  members: readonly { transfer: Transfer }[] | undefined,
): LapsingEntry {
  const { chain, recipient, tokenAddress: token, amountBase } = transfer;
  const { id, walletAddress: wallet, afterHeight: after, unsignedBytes: bytes, signedAt: at } = attempt;
  const feeAtMost = { token: attempt.feeToken, amountBase: attempt.feeAtMost };
  const content = { owner: journalOwner(transfer), recipient, token, amountBase };
  const signed = { chain, wallet, ...content, id, after, expiry: expiryOf(attempt), feeAtMost, bytes, at };
  // One that lost all its payments but one to a restore pays that one, as far as the database knows.
  const [only, ...others] = members ?? [];
  if (only !== undefined && others.length === 0) return { kind: "lapsing", ...signed, ...memberOf(only.transfer) };
  if (members === undefined) return { kind: "lapsing", ...signed };
  return { kind: "lapsing_pack", ...signed, members: members.map((member) => memberOf(member.transfer)) };
}

/** A nonce that will never pay this payment: the one that has it, or a member of the packed transaction there. */
export function spentEntry({ walletAddress: wallet, nonce, attempts }: OpenTransaction, transfer: Transfer, at: Date): JournalEntry {
  const { chain, recipient, tokenAddress: token, amountBase } = transfer;
  const hashes = attempts.flatMap(({ kind, hash }) => (kind === "payment" ? [hash] : []));
  const reason = "the database has it as superseded: what spent the nonce paid nothing, and is final";
  return { kind: "spent", chain, wallet, nonce, owner: journalOwner(transfer), recipient, token, amountBase, hashes, reason, at };
}
