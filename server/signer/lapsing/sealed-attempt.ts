import type { LapsingEntry } from "#domain/lapsing-journal.ts";
import { fromText, toText } from "#server/adapters/signer-socket/frames.ts";
import type { Seal } from "#server/signer/seal.ts";

/** A signed payment, and what the journal has to hold before it goes out. */
export type SignedAttempt = { raw: string; entry: LapsingEntry };

/** Closes both in one text, so that nothing that is stored next to it has to be believed. */
export function closeAttempt(seal: Seal, attempt: SignedAttempt): string {
  return seal.wrap(toText(attempt), aboutOf(attempt.entry));
}

/** Null: it was closed for another attempt, by another key, or was changed. */
export function openAttempt(seal: Seal, bytes: string, attempt: { chain: string; id: string }): SignedAttempt | null {
  const text = seal.unwrap(bytes, aboutOf(attempt));
  // What the seal opens, this signer has written.
  return text === null ? null : (fromText(text) as SignedAttempt);
}

const aboutOf = ({ chain, id }: { chain: string; id: string }) => `lapsing ${chain} ${id}`;
