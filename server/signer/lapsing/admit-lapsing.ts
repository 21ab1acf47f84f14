import type { JournalFault, JournalState } from "#domain/journal.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { LapsingEntry } from "#domain/lapsing-journal.ts";
import type { LapsingAdmitAnswer, LapsingAdmitOrder } from "#domain/lapsing-signer.ts";
import { inTurn } from "#server/signer/admit-in-turn.ts";
import type { Desk } from "#server/signer/desk.ts";
import { capFaults } from "#server/signer/keep-caps.ts";
import { derive } from "./derive-pack.ts";
import { proveEnded } from "./prove-ended.ts";
import { openAttempt } from "./sealed-attempt.ts";
import { sentFault } from "./sign-lapsing.ts";

/**
 * Makes the journal hold an attempt, durably, and opens its bytes. It refuses what would pay an owner a second time, whatever the database
 * says: an earlier attempt of the owner must be proven to have come to nothing. What the journal holds already is opened again.
 */
export async function admitLapsing(
  desk: Desk,
  chain: LapsingChain,
  state: JournalState,
  { transferId, members, id, bytes }: LapsingAdmitOrder,
): Promise<LapsingAdmitAnswer> {
  const opened = openAttempt(desk.seal, bytes, { chain: chain.chain, id });
  if (opened === null) return { fault: CLOSED };
  const { raw, entry } = opened;
  if (!state.lapsing.holds(entry)) {
    const stale = await staleFault(desk, chain, state, { transferId, members, entry });
    if (stale !== null) return stale;
  }
  const answer = await admit(desk, state, { transferId, entry });
  if (typeof answer === "string") return { fault: answer };
  if (answer?.code !== "owner_paid") return answer === null ? { raw } : { fault: answer.detail };
  // What was tried before is paid alone: these bytes lapse, and its payments are made again.
  if (entry.members !== undefined) return { fault: answer.detail, isDoubt: true };
  return await payAgain(desk, chain, state, { entry, raw, paid: answer });
}

const CLOSED =
  "The signer's seal does not open the stored bytes: they or their row were changed, or the file with the seal's key is another one.";

type Signed = { transferId: string; entry: LapsingEntry };

/** Derives again what was signed a while ago: meanwhile the payment may have ended in another way. */
async function staleFault(
  desk: Desk,
  chain: LapsingChain,
  state: JournalState,
  { transferId, members, entry }: Signed & Pick<LapsingAdmitOrder, "members">,
): Promise<Exclude<LapsingAdmitAnswer, { raw: string }> | null> {
  if ((desk.fresh.get(entry.id)?.until ?? 0) > desk.ctx.clock.now().getTime()) return null;
  const derived = await derive(desk, chain, async () => state, { transferId, members, wallet: entry.wallet });
  if ("outcome" in derived) return { fault: derived.reason, ...(derived.kind === "unowed" ? {} : { isDoubt: true }) };
  const { recipient, token, amountBase } = derived.intent;
  const isSame = textOf({ ...derived, recipient, token, amountBase }) === textOf(entry);
  if (!isSame) return { fault: "It was signed for something else." };
  const sent = await sentFault(desk, chain, async () => state, derived);
  return sent === null ? null : { fault: sent, isDoubt: true };
}

/** What is paid, to whom and for what, as it is compared. */
function textOf({
  owner,
  recipient,
  token,
  amountBase,
  members,
}: Pick<LapsingEntry, "owner" | "recipient" | "token" | "amountBase" | "members">) {
  const all = [{ owner, recipient, amountBase }, ...(members ?? [])];
  return [token, ...all.map((one) => `${one.owner} ${one.recipient} ${one.amountBase}`)].join("\n");
}

/** A text: why a cap refuses it. */
async function admit(desk: Desk, state: JournalState, { transferId, entry }: Signed): Promise<JournalFault | string | null> {
  const answer = await inTurn(desk, async () => {
    const [capped = null] = await capFaults(desk, state, [{ transferId, entry }]);
    // By the signer's own clock: its caps count by it.
    return capped ?? (await desk.journal.record([{ ...entry, at: desk.ctx.clock.now() }]))[0] ?? null;
  });
  const own = desk.fresh.get(entry.id);
  if (own !== undefined && answer === null) own.isAdmitted = true;
  return answer;
}

/** The signer asks the nodes itself; the journal then says, too, that the earlier attempt has ended. */
async function payAgain(
  desk: Desk,
  chain: LapsingChain,
  state: JournalState,
  { entry, raw, paid }: { entry: LapsingEntry; raw: string; paid: JournalFault },
): Promise<LapsingAdmitAnswer> {
  const before = state.lapsing.attemptFor(entry.owner);
  const reason = before === null ? null : await proveEnded(chain, before);
  if (before === null || reason === null) return { fault: paid.detail, isDoubt: true };
  const { owner, id, chain: name } = before;
  const at = desk.ctx.clock.now();
  const [, refused = null] = await desk.journal.record([
    { kind: "lapsed", chain: name, owner, id, reason, at },
    { ...entry, at },
  ]);
  return refused === null ? { raw } : { fault: refused.detail };
}
