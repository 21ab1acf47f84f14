import type { JournalState } from "#domain/journal.ts";
import { ownersOf } from "#domain/journal-content.ts";
import { canonicalOf, type LapsingChain, membersIn, type UnsignedPayment } from "#domain/lapsing-chain.ts";
import type { LapsingEntry } from "#domain/lapsing-journal.ts";
import type { LapsingKey, LapsingSignAnswer, LapsingSignOrder } from "#domain/lapsing-signer.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import type { Desk } from "#server/signer/desk.ts";
import { FRESH_MS, forgetStale } from "#server/signer/fresh.ts";
import { capFaults } from "#server/signer/keep-caps.ts";
import { derive } from "./derive-pack.ts";
import type { Derived } from "./derive-payment.ts";
import { proveEnded } from "./prove-ended.ts";
import { closeAttempt } from "./sealed-attempt.ts";

/** No wallet's bytes are valid for longer than this: what is signed must lapse. */
const LONGEST_VALID_MS = 10 * 60_000;

/**
 * Signs one payment. It is read from the database and derived again from what it is owed for; the caller's bytes must pay exactly that, at a
 * fee within the signer's own bound. An owner that the journal has an attempt for gets another one only once the chain has proven that the
 * first paid nothing. Several payments go into one transaction only where the journal has an attempt for none of them: what was tried before is
 * paid alone, with that proof. The answer is sealed with all that the journal has to hold of it.
 */
export async function signLapsing(
  desk: Desk,
  chain: LapsingChain,
  readState: () => Promise<JournalState>,
  { transferId, members, unsigned }: LapsingSignOrder,
): Promise<LapsingSignAnswer> {
  const key = await keyOf(desk, chain, unsigned.intent.sender);
  if (key === null) return refused("unsigned", `No key of ${unsigned.intent.sender} is here.`);
  const wallet = await key.address();
  const derived = await derive(desk, chain, readState, { transferId, members, wallet });
  if ("outcome" in derived) return derived;
  const terms = await termsFault(desk, chain, unsigned, membersIn(derived.intent).length);
  if (terms !== null) return refused("unsigned", terms);
  const state = await readState();
  const content = contentOf(chain, wallet, derived);
  const tried = members === undefined ? null : (ownersOf(content).find((owner) => state.lapsing.hasTried(owner)) ?? null);
  if (tried !== null) return refused("unsigned", `The journal has an attempt for ${tried}: it is paid alone.`);
  const before = state.lapsing.attemptFor(derived.owner);
  if (before !== null) {
    const reason = await proveEnded(chain, before);
    if (reason === null) return { outcome: "signed_before", attempt: before };
    // From now on it counts for no cap.
    await desk.journal.record([
      { kind: "lapsed", chain: chain.chain, owner: before.owner, id: before.id, reason, at: desk.ctx.clock.now() },
    ]);
  }
  const sent = await sentFault(desk, chain, readState, derived);
  if (sent !== null) return refused("unsigned", sent);
  const [capped = null] = await capFaults(desk, state, [{ transferId, entry: { ...content, id: null } }]);
  if (capped !== null) return refused("capped", capped);
  forgetStale(desk);
  return await sign(desk, chain, key, { ...derived, unsigned: { ...unsigned, intent: derived.intent }, content });
}

/** Why the chain may have paid it already, although the journal does not know it; null: nothing speaks for that. */
export async function sentFault(
  desk: Desk,
  chain: LapsingChain,
  readState: () => Promise<JournalState>,
  { owedSince }: Pick<Derived, "owedSince">,
): Promise<string | null> {
  const found = await desk.sentBefore.judge(desk, chain, readState);
  if (found !== null) return found.reason;
  if (!desk.sentBefore.mayBeUnderWay(chain, owedSince)) return null;
  return "The signer was away: what was signed before may still be included. It is signed once that is not possible any more.";
}

type Content = Omit<LapsingEntry, "id" | "after" | "expiry" | "feeAtMost" | "bytes" | "at">;

async function sign(
  desk: Desk,
  chain: LapsingChain,
  key: LapsingKey,
  { unsigned, content }: Derived & { unsigned: UnsignedPayment; content: Content },
): Promise<LapsingSignAnswer> {
  try {
    const raw = await key.sign(unsigned.bytes);
    const id = await chain.checkSigned(raw, unsigned);
    const { after, expiry, feeAtMost, bytes } = unsigned;
    const at = desk.ctx.clock.now();
    const { token, amountBase, wallet } = content;
    const owners = ownersOf(content);
    const until = at.getTime() + FRESH_MS;
    desk.fresh.set(id, { until, owners, chain: chain.chain, wallet, nonce: null, token, amountBase, isAdmitted: false });
    return {
      outcome: "signed",
      id,
      bytes: closeAttempt(desk.seal, { raw, entry: { ...content, id, after, expiry, feeAtMost, bytes, at } }),
    };
  } catch (error) {
    desk.ctx.log.error({ wallet: content.wallet, owner: content.owner, err: error }, "a key did not sign");
    if (error instanceof Unreachable) return refused("unsigned", "The treasury wallet's signer cannot be reached.");
    return refused("unsigned", `The treasury wallet's signer refuses to sign${error instanceof Rejected ? `: ${error.message}` : ""}.`);
  }
}

function contentOf(
  { chain }: LapsingChain,
  wallet: string,
  { owner, members, intent: { recipient, token, amountBase } }: Derived,
): Content {
  const content = { chain, wallet, owner, recipient, token, amountBase };
  return members === undefined ? { ...content, kind: "lapsing" } : { ...content, kind: "lapsing_pack", members };
}

/**
 * Why bytes with these terms are not signed; null: they may be. Their fee is within the signer's bound, which is for each payment. They lapse, and soon. What they call the
 * last final block is one: a lapse is proven from there on, so a block that has not come yet would hide a payment.
 */
async function termsFault(
  { ctx, finals }: Desk,
  chain: LapsingChain,
  { feeAtMost, after, expiry }: UnsignedPayment,
  payments: number,
): Promise<string | null> {
  const most = chain.mostFeeBase * BigInt(payments);
  if (feeAtMost.amountBase > most) return `The chain's fee is up to ${feeAtMost.amountBase}, and the signer's settings allow ${most}.`;
  if (expiry.by === "time" && expiry.last.getTime() > ctx.clock.now().getTime() + LONGEST_VALID_MS)
    return "The bytes are valid for longer than what lapses may be.";
  const isFinal = await finals.includes(chain, after);
  return isFinal ? null : "The bytes name a final block that no node of the signer has.";
}

/** The key of a wallet; null where it is not here. */
async function keyOf({ lapsingKeys }: Desk, chain: LapsingChain, wallet: string): Promise<LapsingKey | null> {
  for (const key of lapsingKeys.of(chain.chain)) {
    const address = await key.address().catch(() => null);
    if (address !== null && canonicalOf(chain, address) === canonicalOf(chain, wallet)) return key;
  }
  return null;
}

const refused = (kind: "capped" | "unsigned", reason: string): LapsingSignAnswer => ({ outcome: "refused", kind, reason });
