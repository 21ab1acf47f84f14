import type { Journal } from "#domain/journal.ts";
import type { Heartbeat, LapsingKeys } from "#domain/lapsing-signer.ts";
import type { SignerCap } from "#domain/signer-caps.ts";
import type { Uses } from "#server/context.ts";
import type { Signer, SigningKeys } from "#server/ports.ts";
import type { FindAboveCap } from "#server/services/transfers/find-above-cap.ts";
import type { FindUnowed } from "#server/services/transfers/find-unowed.ts";
import type { FindUnsignedRules } from "#server/services/transfers/find-unsigned-rules.ts";
import type { FinalHeights } from "./lapsing/final-heights.ts";
import type { SentBefore } from "./lapsing/sent-before.ts";
import type { Seal } from "./seal.ts";

/** What the signer reads from. It writes nothing but its journal. */
export type SignerPowers = Uses<"db" | "evm" | "lapsing" | "log" | "clock">;

/** What the signer alone has. */
export type Desk = {
  ctx: SignerPowers;
  keys: SigningKeys;
  /** The keys of chains whose payments lapse. */
  lapsingKeys: LapsingKeys;
  journal: Journal;
  seal: Seal;
  /** Which payments nobody owes. */
  findUnowed: FindUnowed;
  /** Which payments two people let go above a cap. */
  findAboveCap: FindAboveCap;
  /** Which payments wait because a rule that concerns them is unsigned. */
  findUnsignedRules: FindUnsignedRules;
  /** Its own caps, which nothing in the database changes. */
  caps: readonly SignerCap[];
  /** By hash, what was signed here a moment ago, and until when it need not be derived again. */
  fresh: Map<string, Fresh>;
  /** The beginning of an installation's first journal, while it is under way. */
  beginning: Promise<void> | null;
  /** Which blocks of the chains whose payments lapse are final. */
  finals: FinalHeights;
  /** What the wallets of these chains had paid before this signer began. */
  sentBefore: SentBefore;
  /** Ends when nobody counts for the caps and writes to the journal. */
  turn: Promise<unknown>;
};
/** `isAdmitted`: the journal has it. */
export type Fresh = {
  until: number;
  /** All who count as paid by it. */
  owners: readonly string[];
  chain: string;
  wallet: string;
  /** null: its chain has none. */
  nonce: number | null;
  token: string | null;
  amountBase: bigint;
  isAdmitted: boolean;
};
export type DeskOptions = Omit<
  Desk,
  "findUnowed" | "findAboveCap" | "findUnsignedRules" | "fresh" | "caps" | "beginning" | "turn" | "finals" | "sentBefore"
> & {
  /** Left out: a signer had the journal just now. */
  heartbeat?: Heartbeat;
  findUnowed?: FindUnowed;
  findAboveCap?: FindAboveCap;
  findUnsignedRules?: FindUnsignedRules;
  caps?: readonly SignerCap[];
};

/** The key of a wallet; null where it is not here. */
export async function keyOf({ keys }: Desk, chain: string, wallet: string): Promise<Signer | null> {
  for (const key of keys.of(chain)) {
    const address = await key.address().catch(() => null);
    if (address?.toLowerCase() === wallet.toLowerCase()) return key;
  }
  return null;
}
