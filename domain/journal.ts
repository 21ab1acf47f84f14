import { contentOf, isEmpty, isMoving, isWhole, membersOf, numberOf, ownersOf } from "./journal-content.ts";
import type { JournalFault, JournalPlace } from "./journal-fault.ts";
import { type LapsedEntry, type LapsingEntry, LapsingJournal } from "./lapsing-journal.ts";
import { type SignedAmount, SignedAmounts } from "./signed-amounts.ts";

export type { JournalFault, JournalPlace } from "./journal-fault.ts";

/** What a payment moves. `token` null: the chain's native coin. */
type Content = { recipient: string; token: string | null; amountBase: bigint };

/** One of the payments that a packed transaction makes, in its token. */
export type JournalMember = { owner: string; recipient: string; amountBase: bigint };

/**
 * Bytes that may go to the network. `owner`: what it is paid for, `settlement:st_…`. A filler's and a cancellation's recipient is its wallet.
 * `members`: of a packed transaction, each of which counts as paid; its recipient is the contract, and its amount their sum.
 */
export type SignedEntry = JournalPlace & {
  kind: "payment" | "packed" | "filler" | "cancellation";
  owner: string;
  hash: string;
  at: Date;
  members?: readonly JournalMember[] | undefined;
} & Content;

/**
 * What is signed under the place will never pay its owner: it was reverted for good, or people have proved that. The owner is the place's, or
 * one member's of a packed transaction. `hashes`: every payment that was signed there, each of them looked up on the chain as a payment of this content.
 */
export type SpentEntry = JournalPlace & { kind: "spent"; owner: string; hashes: readonly string[]; reason: string; at: Date } & Content;

/** What concerns a nonce. */
export type NonceEntry = SignedEntry | SpentEntry;
export type JournalEntry = NonceEntry | LapsingEntry | LapsedEntry;

/** `content`: null while only a cancellation is known. `members`: their contents, by owner. Hashes are numbers, to save memory. */
type Held = {
  place: JournalPlace;
  owner: string;
  content: number | null;
  members: ReadonlyMap<string, number>;
  payments: number[];
  cancellations: number[];
  isSpent: boolean;
  /** A signer has released one of its payments by this very journal. False: only what the journal was begun with says so. */
  isReleased: boolean;
  /** Members that it will never pay, while it paid others. */
  unpaid: Set<string>;
};
const NO_MEMBERS: ReadonlyMap<string, number> = new Map();
type Sequence = { chain: string; wallet: string; mark: number; byNonce: Map<number, Held> };

/**
 * What the journal says, entry by entry: which bytes were signed, which nonce each owner was paid under, and each wallet's highest nonce.
 * The order of the entries decides everything, so that anyone who reads the same entries comes to the same result.
 */
export class JournalState {
  readonly #sequences = new Map<string, Sequence>();
  readonly #owners = new Map<string, Held>();
  readonly #amounts = new SignedAmounts();
  /** Payments on chains where what is signed lapses by itself. */
  readonly lapsing = new LapsingJournal();

  /** Why the entry may not be added; null if it may. */
  judge(entry: JournalEntry): JournalFault | null {
    if (isOfLapsing(entry)) return this.lapsing.judge(entry);
    const held = this.#at(entry);
    if (entry.kind === "spent") return judgeSpent(entry, held);
    if (isMoving(entry) ? !isWhole(entry) : !isEmpty(entry)) return fault(isMoving(entry) ? "not_packed" : "not_empty", entry, held);
    if (held !== null && held.owner !== entry.owner) return fault("nonce_taken", entry, held);
    if (entry.kind === "cancellation" || (held !== null && has(held, entry.hash))) return null;
    for (const owner of ownersOf(entry)) {
      const paid = this.#owners.get(owner);
      const isFree = paid === undefined || paid === held || paid.isSpent || paid.unpaid.has(owner);
      if (!isFree) return fault("owner_paid", { ...entry, owner }, paid);
    }
    if (held === null) return null;
    if (held.isSpent || held.unpaid.size > 0) return fault("nonce_spent", entry, held);
    return held.content === null || isSameContent(held, entry) ? null : fault("other_content", entry, held);
  }

  /**
   * Adds the entry, or answers why it counts for nothing. `isReleased`: a signer added it when it released the bytes. Else the journal was begun
   * with it, from what the database said.
   */
  apply(entry: JournalEntry, isReleased = true): JournalFault | null {
    const refused = this.judge(entry);
    if (refused !== null) return refused;
    if (isOfLapsing(entry)) {
      const change = this.lapsing.apply(entry);
      if (change !== null) this.#amounts.add({ ...change.counted, amountBase: change.amountBase });
      return null;
    }
    const held = this.#at(entry) ?? this.#hold(entry);
    if (entry.kind === "spent" && held.owner !== entry.owner) held.unpaid.add(entry.owner);
    else if (entry.kind === "spent") held.isSpent = true;
    else if (!has(held, entry.hash)) this.#add(held, entry, isReleased);
    return null;
  }

  holds({ hash, ...place }: JournalPlace & { hash: string }): boolean {
    const held = this.#at(place);
    return held !== null && has(held, hash);
  }

  /** Whether a signer has released a payment of exactly this to its owner, under this place. Another one there moves nothing more. */
  hasReleased({ chain, wallet, nonce, owner, ...content }: JournalPlace & { owner: string } & Content): boolean {
    const held = this.#at({ chain, wallet, nonce });
    return held?.owner === owner && held.isReleased && !held.isSpent && held.content === contentOf(content);
  }

  /** The place under which the owner was paid last; null: it was not. */
  paidUnder(owner: string): JournalPlace | null {
    return this.#owners.get(owner)?.place ?? null;
  }

  /** The highest nonce that was signed for each wallet of a chain. */
  marks(chain: string): { wallet: string; mark: number }[] {
    return [...this.#sequences.values()].flatMap(({ wallet, mark, ...of }) => (of.chain === chain ? [{ wallet, mark }] : []));
  }

  chains(): string[] {
    return [...new Set([...this.#sequences.values()].map(({ chain }) => chain))];
  }

  /** What was signed since the beginning of that hour, by chain and token; two days are kept. */
  amounts(since: Date): SignedAmount[] {
    return this.#amounts.since(since);
  }

  #at({ chain, wallet, nonce }: JournalPlace): Held | null {
    return this.#sequences.get(`${chain} ${wallet.toLowerCase()}`)?.byNonce.get(nonce) ?? null;
  }

  #hold({ chain, nonce, owner, ...entry }: NonceEntry): Held {
    const wallet = entry.wallet.toLowerCase();
    const key = `${chain} ${wallet}`;
    const sequence = this.#sequences.get(key) ?? { chain, wallet, mark: -1, byNonce: new Map() };
    this.#sequences.set(key, sequence);
    const held: Held = {
      place: { chain: sequence.chain, wallet: sequence.wallet, nonce },
      owner,
      content: null,
      members: NO_MEMBERS,
      payments: [],
      cancellations: [],
      isSpent: false,
      isReleased: false,
      unpaid: new Set(),
    };
    sequence.byNonce.set(nonce, held);
    sequence.mark = Math.max(sequence.mark, nonce);
    return held;
  }

  #add(held: Held, entry: SignedEntry, isReleased: boolean): void {
    (entry.kind === "cancellation" ? held.cancellations : held.payments).push(numberOf(entry.hash));
    if (entry.kind === "cancellation") return;
    held.isReleased ||= isReleased;
    if (held.content !== null) return;
    held.content = contentOf(entry);
    if (entry.members) held.members = membersOf(entry);
    for (const owner of ownersOf(entry)) this.#owners.set(owner, held);
    if (!entry.owner.startsWith("sweep:")) this.#amounts.add(entry);
  }
}

/** Whether the entry concerns a payment that lapses, which has no nonce. */
export function isOfLapsing(entry: JournalEntry): entry is LapsingEntry | LapsedEntry {
  return entry.kind === "lapsing" || entry.kind === "lapsing_pack" || entry.kind === "lapsed";
}

/** What a transfer is paid for, in one word. */
export function journalOwner({ purpose, ownerId }: { purpose: string; ownerId: string }): string {
  return `${purpose}:${ownerId}`;
}

function isSameContent(held: Held, entry: SignedEntry): boolean {
  const members = membersOf(entry);
  const same = members.size === held.members.size && [...members].every(([owner, content]) => held.members.get(owner) === content);
  return same && held.content === contentOf(entry);
}

const has = ({ payments, cancellations }: Held, hash: string) => [...payments, ...cancellations].includes(numberOf(hash));

function judgeSpent(entry: SpentEntry, held: Held | null): JournalFault | null {
  const member = held?.members.get(entry.owner);
  if (held === null || (held.owner !== entry.owner && member === undefined)) return fault("nothing_to_replace", entry, held);
  const content = member ?? held.content;
  if (content !== null && content !== contentOf(entry)) return fault("other_content", entry, held);
  const seen = entry.hashes.map(numberOf);
  return held.payments.every((hash) => seen.includes(hash)) ? null : fault("not_looked_up", entry, held);
}

function fault(code: JournalFault["code"], entry: NonceEntry, held: Held | null): JournalFault {
  return { code, detail: sentence(code, entry, held), place: held?.place ?? null };
}

function sentence(code: JournalFault["code"], { owner, nonce, wallet }: NonceEntry, held: Held | null): string {
  const where = held === null ? "" : `nonce ${held.place.nonce} of ${held.place.wallet}`;
  switch (code) {
    case "owner_paid":
      return `The journal says that ${owner} was paid under ${where}, and nothing proves that this came to nothing.`;
    case "nonce_taken":
      return `The journal says that ${where} was signed for ${held?.owner}, not for ${owner}.`;
    case "nonce_spent":
      return `The journal says that ${where} must never pay ${owner} again.`;
    case "other_content":
      return `The journal says that ${where} pays ${owner} something else.`;
    case "not_looked_up":
      return `The journal has payments to ${owner} under ${where} that the database does not know: nobody has looked them up.`;
    case "nothing_to_replace":
      return `The journal has nothing of ${owner} under nonce ${nonce} of ${wallet}.`;
    case "not_empty":
      return `What uses nonce ${nonce} of ${wallet} up would move money.`;
    case "not_packed":
      return `What is signed under nonce ${nonce} of ${wallet} does not pay each of its members once.`;
    case "attempt_ended":
      return `What was signed under ${where} has ended.`;
  }
}

/** The signing journal is missing, damaged, of another installation, or behind the database. Its message is for people. */
export class JournalUnusable extends Error {
  override readonly name = "JournalUnusable";
}
/** The signing journal takes nothing just now: the disk is full or read-only. Nothing is sent meanwhile. */
export class JournalUnwritable extends Error {
  override readonly name = "JournalUnwritable";
}

/** What the journal says. `records`: how many it has; `durable`: so many of them survive a crash of the machine. */
export type JournalReading = { records: number; durable: number; state: JournalState };

/**
 * The signer's own memory, outside of the database: which bytes were signed for whom. Several processes may use one journal at once; the
 * order in it decides. @throws JournalUnusable, JournalUnwritable
 */
export type Journal = {
  /** Creates it with these entries, unless it is there. */
  begin(installation: string, entries: readonly JournalEntry[]): Promise<void>;
  /** Reads what has been added. */
  read(installation: string): Promise<JournalReading>;
  /**
   * Adds entries, durable before it returns; what is held already adds nothing. One answer for each entry, in their order: null, or why
   * it counts for nothing. To be called after `read`.
   */
  record(entries: readonly JournalEntry[]): Promise<(JournalFault | null)[]>;
};
