import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listTried } from "#db/queries/transfers/pack-members.ts";
import { canonicalOf, type LapsingIntent, type LapsingNode } from "#domain/lapsing-chain.ts";
import { packGroups, packIntent } from "#domain/lapsing-pack.ts";
import type { Screening } from "#domain/screening.ts";
import { SignerAway } from "#domain/signer.ts";
import { senderOf, type Transfer } from "#domain/transfer.ts";
import { guard, inParallel } from "#server/engines/duty.ts";
import type { LapsingPass } from "#server/engines/lapsing/engine.ts";
import { countMove } from "#server/engines/payments/engine.ts";
import { packTransfer } from "#server/engines/payments/signing/pack-parts.ts";
import { Unreachable } from "#server/ports.ts";
import { readReference } from "#server/services/transfers/read-reference.ts";
import type { ChooseWallet } from "./choose-wallet.ts";
import { storePack } from "./store-pack.ts";
import { tryOut } from "./try-out.ts";
import type { Budgets } from "./wallet-budget.ts";

/** What a pass makes payments with. `token`: of their leases. */
export type Means = {
  token: string;
  node: LapsingNode;
  budgets: Budgets;
  choose: ChooseWallet;
  screenings: ReadonlyMap<string, Screening>;
};

/** A payment, and what it comes to on its chain. */
export type Draft = { transfer: Transfer; intent: LapsingIntent };

/**
 * Puts due payments into transactions that make several of them, all or none, where the settings say so. Only what was neither signed nor packed
 * before: a payment is packed once at most. Whatever speaks against such a transaction, its payments are made alone in the same pass.
 *
 * @returns the ids of those that are packed, or that another worker has now
 */
export async function packPayments(pass: LapsingPass, payable: readonly Transfer[], means: Means): Promise<ReadonlySet<string>> {
  const { packing } = pass.chain;
  const packed = new Set<string>();
  if (packing === undefined || payable.length < 2) return packed;
  const drafts = await draftsOf(pass, payable, means);
  const pack = async (members: readonly Draft[]) => {
    if (await makePack(pass, members, means)) for (const { transfer } of members) packed.add(transfer.id);
  };
  const { log } = pass.engine.ctx;
  const alone = (members: readonly Draft[]) => async (err: unknown) => {
    if (err instanceof Unreachable) return;
    log.warn(
      { chain: pass.chain.chain, transfer_ids: members.map(({ transfer }) => transfer.id), err },
      "payments are not packed: one by one",
    );
  };
  await inParallel(packGroups(drafts, packing).map((members) => guard(() => pack(members), alone(members), [SignerAway])));
  return packed;
}

/** Plain payments of tokens that any wallet may make, and that were never tried. */
async function draftsOf({ engine, chain }: LapsingPass, payable: readonly Transfer[], { choose }: Means): Promise<Draft[]> {
  const { db } = engine.ctx;
  const tried = await listTried(
    db,
    payable.map(({ id }) => id),
  );
  const drafts: Draft[] = [];
  for (const transfer of payable) {
    const { recipient, tokenAddress, amountBase } = transfer;
    if (tried.has(transfer.id) || tokenAddress === null || transfer.call !== null || senderOf(transfer) !== undefined) continue;
    const intent = {
      sender: canonicalOf(chain, await choose(transfer)),
      recipient: canonicalOf(chain, recipient),
      token: canonicalOf(chain, tokenAddress),
      amountBase,
      reference: await readReference(db, chain, transfer),
    };
    drafts.push({ transfer, intent });
  }
  return drafts;
}

/** Prepares, tries, signs and stores one transaction. Whether it is stored; if not, its payments are to be made alone. */
async function makePack(pass: LapsingPass, members: readonly Draft[], { token, node, budgets, screenings }: Means): Promise<boolean> {
  const { engine, chain } = pass;
  const { ctx, signers, step } = engine;
  const intent = packIntent(members.map((member) => member.intent));
  const payments = members.map(({ transfer }) => transfer);
  const { sender } = intent;
  const pack = packTransfer(payments, { to: sender, valueBase: 0n, data: "0x" }, sender, await readBusinessNow(ctx.db));
  const unsigned = await node.prepare(intent);
  step("prepared", pack.id);
  if ((await tryOut(pass, unsigned)).outcome !== "passes") return false;
  const budget = await budgets(sender, [...new Set([intent.token, unsigned.feeAtMost.token])]);
  const ids = payments.map(({ id }) => id);
  const signed = await signers.sign({ chain: chain.chain, transferId: pack.id, members: ids, unsigned });
  if (signed.outcome !== "signed") {
    const reason = signed.outcome === "refused" ? signed.reason : "one was signed before";
    ctx.log.warn({ wallet: sender, transfer_ids: ids, reason }, "a signer did not sign a packed transaction: one by one");
    return false;
  }
  step("signed", pack.id);
  const moved = await storePack(pass, { pack, members: payments, token, screenings, sender, unsigned, signed, budget });
  for (const after of moved) countMove(engine, "queued", after);
  step("stored", pack.id);
  return true;
}
