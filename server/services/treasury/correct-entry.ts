import { ledgerCorrectionBody } from "#contract/proposal-bodies.ts";
import type { Database } from "#db/client.ts";
import { findLedgerEntry, hasPosted, insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lockUnknownPayments } from "#db/queries/transfers/treasury-losses.ts";
import type { By } from "#domain/access.ts";
import type { LedgerEntry, Posting } from "#domain/ledger.ts";
import { exactText, parseAmount } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { reversalOf, treasuryFunded } from "#domain/treasury-entries.ts";
import type { Uses } from "#server/context.ts";
import { type Order, type ProposalKind, type Proposed, propose } from "#server/services/proposals/propose.ts";
import { auditOrder } from "./audit-order.ts";
import { FUNDING } from "./close-lines.ts";

type Body = ReturnType<typeof ledgerCorrectionBody.parse>;

/** Two people correct what was booked as the operator's deposit: the entry is reversed, and the right amount is booked. */
export const LEDGER_CORRECTION: ProposalKind<Body, object, object> = {
  kind: "ledger_correction",
  permission: "administer",
  schema: ledgerCorrectionBody,
  show,
  carryOut: (ctx, order) => correct(ctx.db, order),
};

/**
 * Proposes to correct an opening balance or a deposit that was booked by a false answer of a node. Entries are never changed: this one is reversed in
 * full, and the right amount, if there is any, is booked in its place. An entry is corrected once.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `validation_failed`, `conflict` when that is proposed already, `invalid_state` for an
 * entry of another kind, or one that is reversed already
 */
export async function correctEntry(
  ctx: Uses<"db" | "clock" | "mode">,
  command: { by: By; entryId: string /** In units of the token. */; written: string; reason: string },
): Promise<Proposed<object>> {
  const { by, entryId, written, reason } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  const { treasury } = await findDeposit(ctx.db, entryId);
  const { currency, chain, decimals } = treasury.asset;
  const amountBase = parseAmount(written, decimals);
  if (amountBase === null || amountBase < 0n) throw new Refusal("validation_failed", { detail: "That is no amount of the token." });
  if (treasury.amount === amountBase) throw new Refusal("validation_failed", { detail: "That amount is booked." });
  const amounts = { booked_base: treasury.amount.toString(), amount_base: amountBase.toString() };
  const body = { entry_id: entryId, chain: chain ?? "", currency, decimals, ...amounts };
  return await propose(ctx, LEDGER_CORRECTION, { by, subject: entryId, body, reason });
}

async function correct(tx: Database, { by, proposer, subject, body, reason }: Order<Body>): Promise<object> {
  await lockUnknownPayments(tx, body.chain);
  const { entry, treasury } = await findDeposit(tx, body.entry_id);
  const now = await readBusinessNow(tx);
  await insertLedgerEntry(tx, reversalOf(entry, "reversed"), now);
  const amount = BigInt(body.amount_base);
  if (amount > 0n)
    await insertLedgerEntry(tx, treasuryFunded(treasury.asset, amount, { step: "corrected", reference: entry.causeId }), now);
  const change = { ...show(body), asked_by: proposer.id };
  await auditOrder(tx, { by, reason: reason ?? "" }, { action: "treasury.entry_corrected", objectId: subject, change, now });
  return change;
}

async function findDeposit(db: Database, entryId: string): Promise<{ entry: LedgerEntry; treasury: Posting }> {
  const entry = await findLedgerEntry(db, entryId);
  if (entry === null) throw new Refusal("not_found", { detail: "There is no such entry." });
  const treasury = entry.postings.find(({ account }) => account === "treasury");
  if (entry.cause !== "treasury" || (entry.step !== "opened" && entry.step !== "funded") || treasury === undefined)
    throw new Refusal("invalid_state", { detail: "Only an opening balance or a deposit of the treasury's is corrected like this." });
  if (entry.causeId.endsWith(FUNDING)) throw new Refusal("invalid_state", { detail: "Its event on the chain has that amount." });
  if (await hasPosted(db, { ...entry, step: "reversed" })) throw new Refusal("invalid_state", { detail: "It is reversed already." });
  return { entry, treasury };
}

function show({ entry_id, chain, currency, decimals, booked_base: booked, amount_base: amount }: Body): Record<string, unknown> {
  const inUnits = (base: string) => `${exactText(BigInt(base), decimals)} ${currency}`;
  return { entry_id, chain, booked: inUnits(booked), right: inUnits(amount) };
}
