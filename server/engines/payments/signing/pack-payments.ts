import { firstFees, gasLimitFor } from "#domain/evm-fees.ts";
import { intentOf } from "#domain/evm-intent.ts";
import { judgeMembers, packedCall } from "#domain/packed-transfers.ts";
import { inParallel } from "#server/engines/duty.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import { feeTrouble } from "./limit-fees.ts";
import type { Draft, Payment } from "./make-transactions.ts";
import {
  estimateOf,
  type Group,
  groupsOf,
  mayMove,
  type Place,
  packTransfer,
  roomOf,
  sumOf,
  TRANSACTION_GAS,
  usedGas,
  type Weighed,
} from "./pack-parts.ts";
import type { Means } from "./plan-payments.ts";

/** What a payment alone may use, for groups of payments that nobody has simulated yet. */
const LIKELY_GAS = 65_000n;

type JudgeAlone = (payments: readonly Payment[]) => Promise<readonly Draft[]>;

/**
 * Packs due payments by one trial of the packed transaction: its logs show how each of them would end. What they do not show as paid is judged
 * alone. So are all, where anything else speaks against the transaction: judged alone, each says why it waits or fails. The trial decides nothing else.
 *
 * @throws Unreachable
 */
export async function packPayments(
  pass: Pass,
  means: Means,
  payments: readonly Payment[],
  judgeAlone: JudgeAlone,
): Promise<{ packs: Draft[]; alone: Payment[] }> {
  const packs: Draft[] = [];
  const groups = await groupsOf(
    pass,
    payments.map((payment) => ({ ...payment, gas: LIKELY_GAS })),
  );
  const movable = await movableOf(pass, means, groups);
  // One wait: the trials do not depend on one another.
  const trials = await inParallel(movable.map(({ place, members }) => passingTrial(pass, means, place, members)));
  for (const [index, { place }] of movable.entries()) {
    const trial = trials[index] ?? null;
    const pack = trial === null ? null : await packOf(pass, means, { place, trial, judgeAlone });
    if (pack !== null) packs.push(pack);
  }
  const packed = new Set(packs.flatMap(({ members = [] }) => members.map(({ transfer }) => transfer.id)));
  for (const id of packed) {
    pass.engine.memory.refusals.forget(id);
    pass.engine.step("simulated", id);
  }
  return { packs, alone: payments.filter(({ transfer }) => !packed.has(transfer.id)) };
}

/** The groups of those tokens that the contract may move for the wallet. */
async function movableOf(pass: Pass, { walletBudget }: Means, groups: readonly Group<Weighed>[]): Promise<Group<Weighed>[]> {
  const movable: Group<Weighed>[] = [];
  for (const same of Map.groupBy(groups, ({ place }) => place.token).values()) {
    const amountBase = sumOf(same.flatMap(({ members }) => members.map(({ transfer }) => transfer)));
    const [first] = same;
    if (first !== undefined && (await mayMove(pass, walletBudget.wallet, first.place, amountBase))) movable.push(...same);
  }
  return movable;
}

/** Payments that a packed transaction would make, all of them. `estimate`: of its gas. `alone`: what its first payment uses alone. */
type Trial = { members: readonly Payment[]; estimate: bigint; alone: bigint };

/** Without those that a first trial did not show as paid. Null: there is none that passes, or the node does not say. */
async function passingTrial(pass: Pass, { walletBudget }: Means, place: Place, members: readonly Payment[]): Promise<Trial | null> {
  let asked = members;
  for (let trials = 0; trials < 2 && asked.length > 1; trials += 1) {
    const { passing, estimate, alone } = await play(pass, walletBudget.wallet.row.address, place, asked);
    if (passing.length < asked.length) asked = passing;
    else return estimate === null || alone === null ? null : { members: asked, estimate, alone };
  }
  return null;
}

type Played = { passing: readonly Payment[]; estimate: bigint | null; alone: bigint | null };

/** Asked together: one wait. */
async function play(pass: Pass, wallet: string, place: Place, members: readonly Payment[]): Promise<Played> {
  const payments = members.map(({ transfer }) => transfer);
  const intent = packedCall(payments, place);
  const [logs, estimate, alone] = await Promise.all([
    pass.node.trialLogs(wallet, intent),
    estimateOf(pass, wallet, intent),
    Promise.all(payments.slice(0, 1).map((payment) => estimateOf(pass, wallet, intentOf(payment)))),
  ]);
  const ends = logs === null ? [] : judgeMembers(logs, payments, { ...place, wallet });
  return { passing: members.filter((_, index) => ends[index]?.outcome === "paid"), estimate, alone: alone[0] ?? null };
}

/** The packed transaction, its cost taken out of what the wallet has; null: it is not cheaper, or something has to wait. */
async function packOf(
  pass: Pass,
  { walletBudget, gas }: Means,
  { place, trial, judgeAlone }: { place: Place; trial: Trial; judgeAlone: JudgeAlone },
): Promise<Draft | null> {
  const { members, estimate, alone } = trial;
  const { address } = walletBudget.wallet.row;
  const count = BigInt(members.length);
  const [market, dataFee] = [await pass.market(), await pass.dataFee()];
  const fees = firstFees(market, pass.chain.maxFeePerGas);
  const gasLimit = gasLimitFor(estimate);
  const used = usedGas(estimate, alone);
  if (fees === null || gasLimit > roomOf(pass) || used >= count * alone) return null;
  const mostBase = gasLimit * fees.maxFeePerGas + count * dataFee;
  const share = used / count + TRANSACTION_GAS;
  const nowBase = (share > alone ? share : alone) * (market.baseFeePerGas + market.tip) + dataFee;
  const costs = { address, left: gas.left, mostBase, nowBase };
  if (members.some(({ transfer }) => feeTrouble(pass, transfer, costs) !== null) || walletBudget.nativeBase < mostBase) return null;
  const spend = (base: bigint) => {
    walletBudget.nativeBase -= base;
    if (gas.left !== null) gas.left -= base;
  };
  spend(mostBase);
  const unpack = async () => {
    spend(-mostBase);
    return await judgeAlone(members);
  };
  const payments = members.map(({ transfer }) => transfer);
  const intent = packedCall(payments, place);
  return { transfer: packTransfer(payments, intent, address, place.now), intent, gas: estimate, gasLimit, fees, members, unpack };
}
