import { isWhole, ownersOf } from "./journal-content.ts";
import type { JournalFault } from "./journal-fault.ts";
import type { Expiry, LapsingFee, LapsingOwed } from "./lapsing-report.ts";

/**
 * A signed payment that lapses by itself, with everything that is needed to look it up on its chain where nothing else knows it. `id`: the
 * payment's on the chain. `bytes`: unsigned. `after`: the last final height when it was signed. `owner`: what it is paid for. `members`: of a
 * transaction that makes several payments (`lapsing_pack`), each of which counts as paid; its recipient is its wallet, and its amount their sum.
 */
export type LapsingEntry = {
  kind: "lapsing" | "lapsing_pack";
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
  members?: readonly { owner: string; recipient: string; amountBase: bigint }[] | undefined;
};

/** All that it pays. */
export function owedBy({
  token,
  recipient,
  amountBase,
  members,
}: Pick<LapsingEntry, "token" | "recipient" | "amountBase" | "members">): LapsingOwed[] {
  return (members ?? [{ recipient, amountBase }]).map((one) => ({ token, recipient: one.recipient, amountBase: one.amountBase }));
}

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
  readonly #newestAt = new Map<string, Date>();

  /** Why the entry may not be added; null if it may. */
  judge(entry: LapsingEntry | LapsedEntry): JournalFault | null {
    const held = this.#byId.get(keyOf(entry));
    if (entry.kind === "lapsed") return held?.owner === entry.owner ? null : fault("nothing_to_replace", `The journal has no ${entry.id}.`);
    if (held !== undefined && held.owner !== entry.owner)
      return fault("other_content", `The journal says that ${entry.id} pays ${held.owner}, not ${entry.owner}.`);
    if (held !== undefined && held.entry === null)
      return fault("attempt_ended", `The journal says that ${entry.id} has ended, and paid nothing: it is never sent again.`);
    if (!isWholeAttempt(entry)) return fault("not_packed", `${entry.id} does not pay each of its payments once.`);
    if (held !== undefined) return null;
    for (const owner of ownersOf(entry)) {
      const other = this.attemptFor(owner);
      if (other === null) continue;
      return fault("owner_paid", `The journal says that ${owner} was paid by ${other.id}, and nothing proves that this came to nothing.`);
    }
    return null;
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
    for (const owner of ownersOf(entry)) this.#byOwner.set(owner, added);
    this.#newest.set(entry.chain, entry.id);
    const before = this.newestAt(entry.chain);
    if (before === null || entry.at > before) this.#newestAt.set(entry.chain, entry.at);
    return { counted: entry, amountBase: entry.amountBase };
  }

  holds(one: { chain: string; id: string }): boolean {
    return this.#byId.has(keyOf(one));
  }

  /** Whether the entry would add nothing. */
  holdsEntry(entry: LapsingEntry | LapsedEntry): boolean {
    return entry.kind === "lapsed" ? this.#byId.get(keyOf(entry))?.entry === null : this.holds(entry);
  }

  /** What was signed last on a chain; null: nothing was. */
  newest(chain: string): string | null {
    return this.#newest.get(chain) ?? null;
  }

  /** When something was last signed on a chain; null: nothing was. */
  newestAt(chain: string): Date | null {
    return this.#newestAt.get(chain) ?? null;
  }

  /** Every attempt on a chain that may pay its owner, or has, in the journal's order. */
  attempts(chain: string): LapsingEntry[] {
    return [...this.#byId.values()].flatMap(({ entry }) => (entry?.chain === chain ? [entry] : []));
  }

  /** Whether anything was ever signed for the owner, whatever became of it. */
  hasTried(owner: string): boolean {
    return this.#byOwner.has(owner);
  }

  /** The attempt that may pay the owner, or has; null: there is none. */
  attemptFor(owner: string): LapsingEntry | null {
    return this.#byOwner.get(owner)?.entry ?? null;
  }
}

/** Whether it has members exactly where its kind says so, and pays each of them once. */
function isWholeAttempt(entry: LapsingEntry): boolean {
  return isWhole({ ...entry, kind: entry.kind === "lapsing_pack" ? "packed" : entry.kind });
}

const keyOf = ({ chain, id }: { chain: string; id: string }) => `${chain} ${id}`;

const fault = (code: JournalFault["code"], detail: string): JournalFault => ({ code, detail, place: null });
