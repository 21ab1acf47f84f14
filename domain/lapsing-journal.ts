import type { JournalFault } from "./journal-fault.ts";
import type { Expiry, LapsingFee } from "./lapsing-report.ts";

/**
 * A signed payment that lapses by itself, with everything that is needed to look it up on its chain where nothing else knows it. `id`: the
 * payment's on the chain. `bytes`: unsigned. `after`: the last final height when it was signed. `owner`: what it is paid for.
 */
export type LapsingEntry = {
  kind: "lapsing";
  chain: string;
  wallet: string;
  owner: string;
  id: string;
  recipient: string;
  token: string | null;
  amountBase: bigint;
  after: number;
  expiry: Expiry;
  feeAtMost: LapsingFee;
  bytes: string;
  at: Date;
};

/** Final blocks prove that the attempt never pays its owner: it has lapsed, or it failed. */
export type LapsedEntry = { kind: "lapsed"; chain: string; owner: string; id: string; reason: string; at: Date };

/** `entry` null: it has ended, and paid nothing. */
type Held = { owner: string; entry: LapsingEntry | null };

/**
 * What the journal says of payments that lapse. An owner has at most one attempt that may pay it, or has: another one is added only after
 * the first has ended without a payment.
 */
export class LapsingJournal {
  readonly #byId = new Map<string, Held>();
  readonly #byOwner = new Map<string, Held>();
  readonly #newest = new Map<string, string>();

  /** Why the entry may not be added; null if it may. */
  judge(entry: LapsingEntry | LapsedEntry): JournalFault | null {
    const held = this.#byId.get(keyOf(entry));
    if (entry.kind === "lapsed") return held?.owner === entry.owner ? null : fault("nothing_to_replace", `The journal has no ${entry.id}.`);
    if (held !== undefined && held.owner !== entry.owner)
      return fault("other_content", `The journal says that ${entry.id} pays ${held.owner}, not ${entry.owner}.`);
    if (held !== undefined && held.entry === null)
      return fault("attempt_ended", `The journal says that ${entry.id} has ended, and paid nothing: it is never sent again.`);
    const other = held === undefined ? this.attemptFor(entry.owner) : null;
    if (other === null) return null;
    return fault(
      "owner_paid",
      `The journal says that ${entry.owner} was paid by ${other.id}, and nothing proves that this came to nothing.`,
    );
  }

  /** Adds an entry that {@link judge} lets pass. Answers what counts for the signer's caps: more of it, or less. */
  apply(entry: LapsingEntry | LapsedEntry): { counted: LapsingEntry; amountBase: bigint } | null {
    const held = this.#byId.get(keyOf(entry));
    if (entry.kind === "lapsed") {
      const ended = held?.entry ?? null;
      if (held !== undefined) held.entry = null;
      return ended && { counted: ended, amountBase: -ended.amountBase };
    }
    if (held !== undefined) return null;
    const added: Held = { owner: entry.owner, entry };
    this.#byId.set(keyOf(entry), added);
    this.#byOwner.set(entry.owner, added);
    this.#newest.set(entry.chain, entry.id);
    return { counted: entry, amountBase: entry.amountBase };
  }

  holds(one: { chain: string; id: string }): boolean {
    return this.#byId.has(keyOf(one));
  }

  /** Whether the entry would add nothing. */
  holdsEntry(entry: LapsingEntry | LapsedEntry): boolean {
    return entry.kind === "lapsing" ? this.holds(entry) : this.#byId.get(keyOf(entry))?.entry === null;
  }

  /** What was signed last on a chain; null: nothing was. */
  newest(chain: string): string | null {
    return this.#newest.get(chain) ?? null;
  }

  /** Every attempt on a chain that may pay its owner, or has, in the journal's order. */
  attempts(chain: string): LapsingEntry[] {
    return [...this.#byId.values()].flatMap(({ entry }) => (entry?.chain === chain ? [entry] : []));
  }

  /** The attempt that may pay the owner, or has; null: there is none. */
  attemptFor(owner: string): LapsingEntry | null {
    return this.#byOwner.get(owner)?.entry ?? null;
  }
}

const keyOf = ({ chain, id }: { chain: string; id: string }) => `${chain} ${id}`;

const fault = (code: JournalFault["code"], detail: string): JournalFault => ({ code, detail, place: null });
