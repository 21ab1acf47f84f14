import { type LapsingIntent, type LapsingTrial, membersIn, type PaymentCost, type UnsignedPayment } from "#domain/lapsing-chain.ts";
import { MOST_UNITS, transactionFee, unitLimit, unitPrice } from "#domain/solana-fees.ts";
import { Rejected } from "#server/ports.ts";
import { count, LatestBlockhash, lamports, RecentFees, Simulation } from "./answers.ts";
import { explainFault } from "./explain-fault.ts";
import { faultOfRecipient, faultOfSender } from "./judge-accounts.ts";
import type { Mint } from "./judge-mint.ts";
import { judgeRecipients } from "./judge-recipients.ts";
import { buildPayment, toBytes, wireOf, wireOfBytes } from "./payment-bytes.ts";
import { type Asked, BASE64, placesOf } from "./read-chain.ts";

/** More than every payment uses, for the simulation that counts it. */
const GENEROUS_UNITS = 200_000;
/** Of a payment whose simulation fails: what creates an account and transfers, generously. */
const USUAL_UNITS = 60_000;
/** Blocks after the last one that a node names for a blockhash: versions differ by one about which it is, and a few seconds cost nothing. */
const EXPIRY_MARGIN = 8;
const COIN = { tokenProgram: null, decimals: 9 };

/**
 * Bytes that pay the intent, under the newest blockhash: the compute limit by a simulation, the price by what recent blocks took.
 *
 * @throws Unreachable, Rejected where no payment may be made in the token
 */
export async function preparePayment(asked: Asked, intent: LapsingIntent): Promise<UnsignedPayment> {
  const { rpc, rules } = asked;
  const payments = membersIn(intent).length;
  // Bytes that are not signed yet are in no block up to the height that is final now.
  const [after, { mint, touched }] = await Promise.all([
    rpc.ask(count, "getBlockHeight", { commitment: rules.commitment }),
    placesOf(asked, intent),
  ]);
  const [latest, recent, rent] = await Promise.all([
    rpc.ask(LatestBlockhash, "getLatestBlockhash", { commitment: "confirmed" }),
    rpc.ask(RecentFees, "getRecentPrioritizationFees", touched),
    mint === null ? 0n : rpc.ask(lamports, "getMinimumBalanceForRentExemption", mint.accountBytes),
  ]);
  const { blockhash, lastValidBlockHeight } = latest.value;
  const { tokenProgram, decimals } = mint ?? COIN;
  const draft = await buildPayment(intent, {
    blockhash,
    tokenProgram,
    decimals,
    units: Math.min(GENEROUS_UNITS * payments, MOST_UNITS),
    price: 0n,
  });
  const trial = await play(asked, wireOf(draft));
  const units = unitLimit(trial.err === null && trial.unitsConsumed ? trial.unitsConsumed : USUAL_UNITS * payments, payments);
  const prices = recent.map(({ prioritizationFee }) => prioritizationFee);
  const price = unitPrice(prices, units, rules.priority);
  const bytes = toBytes(await buildPayment(intent, { blockhash, tokenProgram, decimals, units, price }));
  return {
    intent,
    bytes,
    after,
    expiry: { by: "height", last: lastValidBlockHeight + EXPIRY_MARGIN },
    feeAtMost: { token: null, amountBase: transactionFee(units, price) + rent * BigInt(payments) },
  };
}

/** The fee that its bytes offer, and the rent of an account that is not there yet. */
export async function costOfPayment(asked: Asked, intent: LapsingIntent): Promise<PaymentCost> {
  const [{ feeAtMost }, { mint, wallet, to }] = await Promise.all([preparePayment(asked, intent), placesOf(asked, intent)]);
  if (mint === null) return { fee: feeAtMost, isNewHolder: wallet === null };
  if (to === null) return { fee: feeAtMost, isNewHolder: true };
  const rent = await asked.rpc.ask(lamports, "getMinimumBalanceForRentExemption", mint.accountBytes);
  return { fee: { ...feeAtMost, amountBase: feeAtMost.amountBase - rent }, isNewHolder: false };
}

/** Plays the payment without sending it, after a look at what the chain has at the recipient's address. */
export async function simulatePayment(asked: Asked, { intent, bytes }: UnsignedPayment): Promise<LapsingTrial> {
  const [mint, trial] = await judgePlaces(asked, intent).catch((error) => [null, asTrouble(error)] as const);
  if (trial !== null) return trial;
  const { err } = await play(asked, wireOfBytes(bytes));
  if (err === null) return { outcome: "passes" };
  const { reason, fault } = explainFault(err, mint === null, false);
  return { outcome: fault === "payment" ? "refused" : "treasury", reason };
}

/** By what the chain has at the sender and at each recipient. */
async function judgePlaces(asked: Asked, intent: LapsingIntent): Promise<readonly [Mint | null, LapsingTrial | null]> {
  const { token, amountBase, members } = intent;
  if (members !== undefined) {
    const faults = await judgeRecipients(
      asked,
      members.map(({ recipient }) => recipient),
      token,
    );
    const reason = faults.find((fault) => fault !== null) ?? null;
    if (reason !== null) return [null, { outcome: "refused", reason }];
  }
  // What several payments name as their recipient is the sender itself.
  const { mint, wallet, from, to } = await placesOf(asked, intent);
  const recipient = members === undefined ? faultOfRecipient(intent.recipient, wallet, to) : null;
  if (recipient !== null) return [mint, { outcome: "refused", reason: recipient }];
  const fault = mint === null ? null : faultOfSender(from, amountBase);
  return [mint, fault === null ? null : { outcome: "treasury", reason: fault }];
}

/** A mint that is not accepted, or not any more, is nothing that the recipient could change. */
function asTrouble(error: unknown): LapsingTrial {
  if (error instanceof Rejected) return { outcome: "treasury", reason: error.message };
  throw error;
}

/** Under the node's own blockhash: one that is a little behind does not know the newest yet. */
async function play({ rpc }: Asked, wire: string) {
  const options = { ...BASE64, commitment: "confirmed", sigVerify: false, replaceRecentBlockhash: true };
  return (await rpc.ask(Simulation, "simulateTransaction", wire, options)).value;
}
