import { treasuryLossBody } from "#contract/proposal-bodies.ts";
import type { Database } from "#db/client.ts";
import { insertLedgerEntries } from "#db/queries/ledger/ledger-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listKnownLapsing } from "#db/queries/transfers/lapsing-attempts.ts";
import { lockLinesOf } from "#db/queries/transfers/suspense-lines.ts";
import { findOwnAttempts } from "#db/queries/transfers/transactions.ts";
import { listProvedPlaces } from "#db/queries/transfers/transfer-proofs.ts";
import { listOpenPayments } from "#db/queries/transfers/transfers.ts";
import { listLostHashes, listOpenOwners, lockUnknownPayments } from "#db/queries/transfers/treasury-losses.ts";
import type { By } from "#domain/access.ts";
import { matchPayments } from "#domain/foreign-transaction.ts";
import { exactText } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { COIN_PLACES } from "#domain/suspense-line.ts";
import { lossReference, treasuryLost } from "#domain/treasury-loss.ts";
import type { Uses } from "#server/context.ts";
import { type Order, type ProposalKind, type Proposed, propose } from "#server/services/proposals/propose.ts";
import { auditOrder } from "./audit-order.ts";
import { closeLines } from "./close-lines.ts";
import { findLoss } from "./find-loss.ts";

type Body = ReturnType<typeof treasuryLossBody.parse>;
type Lost = Body["transactions"][number];

/** Transactions that took money from the treasury and paid nothing owed are booked as a loss once two people agree. */
export const TREASURY_LOSS: ProposalKind<Body, object, object> = {
  kind: "treasury_loss",
  permission: "administer",
  schema: treasuryLossBody,
  show,
  carryOut: (ctx, order) => lose(ctx.db, order),
};

/** The most transactions that one proposal may name. */
export const MOST_LOSSES = 500;

/**
 * Proposes to book transactions of the treasury's wallets, given by hash, as losses: the database does not know them, and they made no
 * owed payment. Amounts and fees come from the chain, and every node is asked. In the sandbox they are booked at once. If one of them is not a
 * loss, all are refused. Each can be booked once; a payment that it proves later reverses its loss (`bookProof`).
 *
 * @throws Refusal `forbidden`, `step_up_required`, `conflict` when the first is proposed already, `temporarily_unavailable` while a node
 * does not answer, `invalid_state` when one is not final, not ours, known, booked, or seems to have made an open payment
 */
export async function bookLoss(
  ctx: Uses<"db" | "clock" | "mode" | "evm">,
  command: { by: By; chain: string; hashes: readonly string[]; reason: string },
): Promise<Proposed<object>> {
  const { by, reason } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  const chain = ctx.evm.find(command.chain);
  if (chain === null) throw new Refusal("not_found", { detail: `${command.chain} is no configured chain.` });
  const hashes = [...new Set(command.hashes.map((hash) => hash.toLowerCase()))];
  if (hashes.length > MOST_LOSSES) throw new Refusal("validation_failed", { detail: `At most ${MOST_LOSSES} transactions at once.` });
  const found = [];
  for (const hash of hashes) found.push(await findLoss(ctx, chain, hash));
  for (const { payment, transaction } of matchPayments(
    found.flatMap((one) => one.foreign ?? []),
    await listOpenPayments(ctx.db, chain.chain),
  ))
    throw invalid(`${transaction.hash} seems to have paid ${payment.id}: book it as that (npm run compare).`);
  const transactions = found.map((one): Lost => one.lost);
  await refuseUnlessLost(ctx.db, chain.chain, transactions);
  const { currency, decimals } = chain.native;
  const body: Body = { chain: chain.chain, native: { currency, decimals }, transactions };
  return await propose(ctx, TREASURY_LOSS, { by, subject: lossReference(chain.chain, hashes[0] ?? ""), body, reason });
}

async function lose(tx: Database, { by, proposer, subject, body, reason }: Order<Body>): Promise<object> {
  const { chain, native, transactions } = body;
  await lockUnknownPayments(tx, chain);
  await refuseUnlessLost(tx, chain, transactions);
  const now = await readBusinessNow(tx);
  const entries = transactions.map(({ hash, outflow, fee_base: fee }) =>
    treasuryLost(lossReference(chain, hash), {
      outflow: outflow.map(({ amount_base: amount, ...token }) => ({ asset: { ...token, chain }, amountBase: BigInt(amount) })),
      fee: { asset: { ...native, chain }, amountBase: BigInt(fee) },
    }),
  );
  await closeLost(tx, body, now);
  await insertLedgerEntries(tx, entries, now);
  const change = { ...show(body), asked_by: proposer.id };
  await auditOrder(tx, { by, reason: reason ?? "" }, { action: "treasury.loss_booked", objectId: subject, change, now });
  return change;
}

/** Takes out of suspense what the losses count from now on. */
async function closeLost(tx: Database, { chain, transactions }: Body, now: Date): Promise<void> {
  const lost = new Map(transactions.map((one) => [one.hash, one]));
  const lines = await lockLinesOf(tx, chain, [...lost.keys()]);
  const counted = lines.filter(({ hash, holder, place, direction, currency }) => {
    const { outflow = [], fee_base: fee = "0", nonce } = lost.get(hash) ?? {};
    // Of a block, only what left counts: what came in was another transaction's.
    if (holder !== "wallet" || (nonce === null && direction !== "out")) return false;
    return place === COIN_PLACES.fee ? fee !== "0" : outflow.some((taken) => taken.currency === currency);
  });
  await closeLines(tx, counted, { resolution: "loss", proposalId: null, now });
}

async function refuseUnlessLost(db: Database, chain: string, transactions: readonly Lost[]): Promise<void> {
  const hashes = transactions.map(({ hash }) => hash);
  const [own] = await findOwnAttempts(db, hashes);
  if (own) throw invalid(`${own.hash} is ${own.transferId}'s own transaction, and its cost is booked with it.`);
  // Without a fee it is the part of a known transaction that nobody owes here.
  const [lapsing] = await listKnownLapsing(
    db,
    transactions.flatMap(({ hash, fee_base: fee }) => (fee === "0" ? [] : [hash])),
  );
  if (lapsing !== undefined) throw invalid(`${lapsing} is known here, and its cost is booked with its payment.`);
  const [proved] = await listProvedPlaces(db, chain, hashes);
  if (proved) throw invalid(`${proved[0]} has proved a transfer: it is booked as what it paid.`);
  const [lost] = await listLostHashes(db, chain, hashes);
  if (lost !== undefined) throw invalid(`${lost} is booked as lost already.`);
  const [open] = await listOpenOwners(
    db,
    transactions.flatMap(({ wallet, nonce }) => (nonce === null ? [] : [{ chain, wallet, nonce }])),
  );
  if (open) throw invalid(`Nonce ${open.nonce} is ${open.transferId}'s, which has not ended: decide on that first.`);
}

function invalid(detail: string): Refusal {
  return new Refusal("invalid_state", { detail });
}

/** What people read before they confirm it: how much in all, and each transaction. */
function show({ chain, native, transactions }: Body): Record<string, unknown> {
  const outflow = transactions.flatMap((one) => one.outflow);
  const fees = transactions.reduce((sum, { fee_base: fee }) => sum + BigInt(fee), 0n);
  const lost = [...Map.groupBy(outflow, ({ currency }) => currency)].map(([currency, same]) => {
    const sum = same.reduce((total, { amount_base: amount }) => total + BigInt(amount), 0n);
    return `${exactText(sum, same[0]?.decimals ?? 0)} ${currency}`;
  });
  return {
    chain,
    lost: lost.join(", "),
    fees: `${exactText(fees, native.decimals)} ${native.currency}`,
    transactions: transactions.map(({ hash }) => hash),
  };
}
