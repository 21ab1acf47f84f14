import type { Database } from "#db/client.ts";
import { listSignedAfter } from "#db/queries/transfers/signing-journal.ts";
import type { Attempt, OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { type JournalEntry, journalOwner, type SignedEntry } from "#domain/journal.ts";

const AT_ONCE = 1_000;

/** What the signing journal says of one signed attempt. */
export function signedEntry({ transfer, walletAddress, nonce }: OpenTransaction, { kind, hash, signedAt: at }: Attempt): SignedEntry {
  const { chain, purpose, recipient, tokenAddress, amountBase } = transfer;
  const place = { chain, wallet: walletAddress, nonce, owner: journalOwner(transfer), hash, at };
  if (kind === "cancellation") return { ...place, kind, recipient: walletAddress, token: null, amountBase: 0n };
  return { ...place, kind: purpose === "filler" ? "filler" : kind, recipient, token: tokenAddress, amountBase };
}

/** Everything that the database knows as signed, in the order in which it came about. */
export async function listJournalEntries(db: Database): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (let after = ""; ; ) {
    const places = await listSignedAfter(db, after, AT_ONCE);
    for (const place of places) {
      entries.push(...place.attempts.map((attempt) => signedEntry(place, attempt)));
      if (place.supersededAt !== null) entries.push(spentEntry(place, place.supersededAt));
    }
    if (places.length < AT_ONCE) return entries;
    after = places.at(-1)?.id ?? "";
  }
}

/** A nonce that will never pay its owner: the database has it as superseded, with these attempts. */
export function spentEntry({ transfer, walletAddress: wallet, nonce, attempts }: OpenTransaction, at: Date): JournalEntry {
  const { chain, recipient, tokenAddress: token, amountBase } = transfer;
  const hashes = attempts.flatMap(({ kind, hash }) => (kind === "payment" ? [hash] : []));
  const reason = "the database has it as superseded: what spent the nonce paid nothing, and is final";
  return { kind: "spent", chain, wallet, nonce, owner: journalOwner(transfer), recipient, token, amountBase, hashes, reason, at };
}
