import { listStopped } from "#db/queries/halts/scope-halts.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listLapsingClaims, lockPayingWallet } from "#db/queries/transfers/lapsing-attempts.ts";
import { lockTransfers, restTransfers, saveTransfer } from "#db/queries/transfers/transfers.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import type { LapsingNode, UnsignedPayment } from "#domain/lapsing-chain.ts";
import type { LapsingSignAnswer } from "#domain/lapsing-signer.ts";
import type { Screening } from "#domain/screening.ts";
import { advanceTransfer, type Transfer } from "#domain/transfer.ts";
import type { LapsingPass } from "#server/engines/lapsing/engine.ts";
import { countMove } from "#server/engines/payments/engine.ts";
import { refuseTransfer } from "#server/engines/payments/signing/refuse-transfer.ts";
import { Rejected } from "#server/ports.ts";
import { judgeBeforeSigning } from "#server/services/holds/judge-before-signing.ts";
import { readReference } from "#server/services/transfers/read-reference.ts";
import { adoptAttempt } from "./adopt-attempt.ts";
import type { ChooseWallet } from "./choose-wallet.ts";
import { screeningChecks } from "./signing-checks.ts";
import { storeAttempt } from "./store-attempt.ts";
import { tryOut, type Why } from "./try-out.ts";
import { type Budgets, findShortage, type WalletBudget } from "./wallet-budget.ts";

type Payment = {
  transfer: Transfer;
  screening: Screening | undefined;
  token: string;
  node: LapsingNode;
  budgets: Budgets;
  choose: ChooseWallet;
};

/** Prepares, tries, signs and stores one payment. Whether it is stored; if not, it waits and says why, or has failed with nothing signed. */
export async function makePayment(pass: LapsingPass, payment: Payment): Promise<boolean> {
  const { engine, chain } = pass;
  const { transfer } = payment;
  const wait = async ({ kind, reason }: Why) => {
    await restTransfers(engine.ctx.db, [transfer.id], { kind, reason, restMs: engine.timings.restMs });
    return false;
  };
  const sender = await payment.choose(transfer);
  const { recipient, tokenAddress, amountBase } = transfer;
  const reference = await readReference(engine.ctx.db, chain, transfer);
  const intent = { sender, recipient, token: tokenAddress, amountBase, reference };
  const unsigned = await payment.node.prepare(intent).catch(asRefusal);
  if ("reason" in unsigned) return await wait(unsigned);
  engine.step("prepared", transfer.id);
  const trial = await tryOut(pass, unsigned);
  if (trial.outcome === "refused") {
    await refuseTransfer(engine, transfer.id, trial.reason);
    return false;
  }
  if (trial.outcome === "waits") return await wait(trial);
  const budget = await payment.budgets(sender, [...new Set([tokenAddress, unsigned.feeAtMost.token])]);
  const signed = await engine.signers.sign({ chain: chain.chain, transferId: transfer.id, unsigned });
  if (signed.outcome === "refused") {
    const { kind, reason } = signed;
    engine.ctx.log.error({ transfer_id: transfer.id, wallet: sender, kind, reason }, "a signer did not sign");
    return await wait({ kind: kind === "unsigned" ? "chain_unavailable" : "review", reason });
  }
  if (signed.outcome === "signed_before") {
    const trouble = await adoptAttempt(pass, payment, signed.attempt).catch(asRepeat);
    return trouble === null ? true : await wait(trouble);
  }
  engine.step("signed", transfer.id);
  const stored = await store(pass, payment, { sender, unsigned, signed, budget }).catch(asRepeat);
  if (stored === null) return false;
  if ("reason" in stored) return await wait(stored);
  countMove(engine, "queued", stored.moved);
  engine.step("stored", transfer.id);
  return true;
}

type Signed = {
  sender: string;
  unsigned: UnsignedPayment;
  signed: Extract<LapsingSignAnswer, { outcome: "signed" }>;
  budget: WalletBudget;
};

/** The signed bytes and the state, together or not at all. Null: another worker has it now, or a check holds it. */
async function store(
  { engine, chain }: LapsingPass,
  { transfer, screening, token }: Payment,
  { sender, unsigned, signed, budget }: Signed,
): Promise<{ moved: Transfer } | Why | null> {
  return await engine.ctx.db.transaction(async (tx) => {
    const [locked] = await lockTransfers(tx, [transfer.id], token);
    if (locked?.state !== "queued" || (await listStopped(tx, [transfer.id])).size > 0) return null;
    const walletId = await lockPayingWallet(tx, chain.chain, sender);
    if (walletId === null) return { kind: "review", reason: "The treasury wallet is halted, or not active." };
    const { feeAtMost: fee } = unsigned;
    const wanted = { token: transfer.tokenAddress, amountBase: transfer.amountBase, feeToken: fee.token, feeAtMost: fee.amountBase };
    const short = findShortage(budget, await listLapsingClaims(tx, chain.chain, { wallet: sender, above: budget.height }), wanted);
    if (short !== undefined)
      return { kind: "treasury_funding", reason: `Treasury wallet ${sender} holds too little of ${nameOf(chain, short)}.` };
    const now = await readBusinessNow(tx);
    const checks = screeningChecks(engine, new Map(screening ? [[transfer.id, screening]] : []));
    if ((await judgeBeforeSigning(tx, [locked], { walletId, now }, checks)).size > 0) return null;
    await storeAttempt(tx, { transferId: transfer.id, walletId, signed, unsigned, now });
    const moved = advanceTransfer(locked, { type: "sign" }, now);
    await saveTransfer(tx, moved, now);
    return { moved };
  });
}

/** The node says a fact about the token or the fee, which people can change. */
export function asRefusal(error: unknown): Why {
  if (error instanceof Rejected) return { kind: "review", reason: `It cannot be prepared: ${error.message}.` };
  throw error;
}

/** A node that is behind prepares the same bytes again, as those that lapsed; or another worker stored some in the meantime. */
export function asRepeat(error: unknown): Why {
  if (!["lapsing_attempts_pkey", "lapsing_attempts_valid"].some((name) => isUniqueViolation(error, name))) throw error;
  return { kind: "chain_unavailable", reason: "The node is behind, and prepares what was signed before." };
}

/** What a token is called. */
export function nameOf({ tokens }: LapsingPass["chain"], token: string | null): string {
  return tokens.find(({ address }) => address === token)?.currency ?? token ?? "the coin";
}
