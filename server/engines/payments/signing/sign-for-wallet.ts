import { firstFees } from "#domain/evm-fees.ts";
import { intentOf } from "#domain/evm-intent.ts";
import type { Transfer } from "#domain/transfer.ts";
import { type Pass, processOne } from "#server/engines/payments/engine.ts";
import { Unreachable } from "#server/ports.ts";
import { judgeTransfer, type Verdict } from "./judge-transfer.ts";
import { feeTrouble, gasLeft } from "./limit-fees.ts";
import { type Draft, makeAll, type Payment } from "./make-transactions.ts";
import { packDrafts } from "./pack-drafts.ts";
import { packPayments } from "./pack-payments.ts";
import type { Means, WalletBudget } from "./plan-payments.ts";
import { refuseTransfer } from "./refuse-transfer.ts";
import { restAll, type Why } from "./rest-all.ts";
import type { Screened } from "./screen-payments.ts";

/** So many are judged alone, signed and stored together. */
const RANGE_LENGTH = 64;

/**
 * Signs one wallet's payments, in order. One trial of a packed transaction judges all of its payments. The others are simulated at once;
 * those that were heard of are signed while others still are.
 *
 * @throws Unreachable
 */
export async function signForWallet(
  pass: Pass,
  walletBudget: WalletBudget,
  screenings: Screened["screenings"],
  token: string,
): Promise<void> {
  const { address } = walletBudget.wallet.row;
  const payments = walletBudget.payments.map((transfer) => ({ transfer, screening: screenings.get(transfer.id) }));
  // Where nothing is packed, the node is asked before anything else is awaited.
  const early = pass.chain.packingContract === null ? judgeAll(pass, address, payments) : null;
  const means: Means = { walletBudget, gas: { left: await gasLeft(pass, walletBudget.wallet) } };
  const judged = early ?? judgeAll(pass, address, await packFirst(pass, means, payments, token));
  for (let from = 0; from < judged.length; from += RANGE_LENGTH) {
    const { drafts, silence } = await draftsOf(pass, means, await Promise.all(judged.slice(from, from + RANGE_LENGTH)));
    await makeAll(pass, walletBudget.wallet, await packDrafts(pass, means, drafts), token);
    if (silence !== null) throw silence;
  }
}

/** Signs what can be packed, and answers the payments that are to be judged alone. */
async function packFirst(pass: Pass, means: Means, payments: readonly Payment[], token: string): Promise<readonly Payment[]> {
  const { wallet } = means.walletBudget;
  const judgeAlone = async (some: readonly Payment[]) => {
    const { drafts, silence } = await draftsOf(pass, means, await Promise.all(judgeAll(pass, wallet.row.address, some)));
    if (silence !== null) throw silence;
    return drafts;
  };
  const { packs, alone } = await packPayments(pass, means, payments, judgeAlone);
  await makeAll(pass, wallet, packs, token);
  return alone;
}

type Judged = Payment & { verdict: Verdict | Error };

/** An error is kept, so that one transfer's does not hide the others'. */
function judgeAll(pass: Pass, sender: string, payments: readonly Payment[]): Promise<Judged>[] {
  return payments.map(async (payment): Promise<Judged> => {
    try {
      return { ...payment, verdict: await judgeTransfer(pass, sender, payment.transfer) };
    } catch (error) {
      return { ...payment, verdict: error instanceof Error ? error : new Error(String(error)) };
    }
  });
}

/** What may be signed alone. `silence`: the node did not answer for some of them. */
async function draftsOf(pass: Pass, means: Means, judged: readonly Judged[]): Promise<{ drafts: Draft[]; silence: Unreachable | null }> {
  const drafts: Draft[] = [];
  for (const { transfer, screening, verdict } of judged) {
    if (verdict instanceof Unreachable) continue;
    await processOne(pass, transfer.id, async () => {
      if (verdict instanceof Error) throw verdict;
      const draft = await admit(pass, means, transfer, verdict);
      if (draft !== null) drafts.push({ ...draft, screening });
    });
  }
  const silence = judged.map(({ verdict }) => verdict).find((verdict) => verdict instanceof Unreachable);
  return { drafts, silence: silence ?? null };
}

/** What is to be signed for a transfer, its cost taken out of the wallet budget; null where it was refused or has to wait. */
async function admit(pass: Pass, { walletBudget, gas }: Means, transfer: Transfer, verdict: Verdict): Promise<Draft | null> {
  const { engine, chain } = pass;
  engine.step("simulated", transfer.id);
  if (verdict.outcome === "refused") {
    await refuseTransfer(engine, transfer.id, verdict.reason);
    return null;
  }
  if (verdict.outcome === "waits") return await wait(verdict);
  const fees = firstFees(await pass.market(), chain.maxFeePerGas);
  if (fees === null) return await wait({ kind: "chain_unavailable", reason: "The network's fee is above the configured cap." });
  const intent = intentOf(transfer);
  const [market, dataFee] = [await pass.market(), await pass.dataFee()];
  const mostBase = verdict.gasLimit * fees.maxFeePerGas + dataFee;
  const nowBase = verdict.gasLimit * (market.baseFeePerGas + market.tip) + dataFee;
  const trouble = feeTrouble(pass, transfer, { address: walletBudget.wallet.row.address, left: gas.left, mostBase, nowBase });
  if (trouble !== null) return await wait({ kind: "chain_unavailable", reason: trouble });
  const cost = mostBase + intent.valueBase;
  const tooLittle = `Treasury wallet ${walletBudget.wallet.row.address} holds too little ${chain.native.currency} for the network's fee.`;
  if (walletBudget.nativeBase < cost) return await wait({ kind: "treasury_funding", reason: tooLittle });
  walletBudget.nativeBase -= cost;
  if (gas.left !== null) gas.left -= mostBase;
  return { transfer, intent, gas: verdict.gas, gasLimit: verdict.gasLimit, fees };

  async function wait(why: Why): Promise<null> {
    await restAll(pass, [transfer], why);
    return null;
  }
}
