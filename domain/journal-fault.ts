/** A nonce of a treasury wallet, on one chain. */
export type JournalPlace = { chain: string; wallet: string; nonce: number };

/** Why an entry may not be added. `place`: what the journal holds instead. */
export type JournalFault = {
  code:
    | "owner_paid"
    | "nonce_taken"
    | "nonce_spent"
    | "other_content"
    | "not_looked_up"
    | "nothing_to_replace"
    | "not_empty"
    | "not_packed"
    | "attempt_ended";
  detail: string;
  place: JournalPlace | null;
};
