import type { SettlementClient } from "#sdk/typescript/src/index.ts";
import { first, knowsFailure, lastExit, PAYS_TWICE, type Run, refusalsOf, type Scenario, sawTheEnd } from "./judges.ts";

type Pair = Awaited<ReturnType<SettlementClient["prices"]["pairs"]>>[number];

/** The bodies of the two kinds of orders, without `external_id`. */
export type FiatOrders = Record<"withdrawal" | "topup", object>;

const MEMBER = {
  external_user_id: "certify",
  phone: "+254799000001",
  wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
};
/** The sandbox's provider reports a payment to or from such an account as failed. */
const FAILING = { type: "mobile_money", account: "+254700999901" };

/** The smallest orders that pool and pair allow. The member brings its own wallet, and is there after the first time. */
export async function fiatOrders(client: SettlementClient, pair: Pair): Promise<FiatOrders> {
  const { source_currency: currency, destination_currency: token, chain, minimum_source_amount } = pair;
  const pool = (await client.withdrawals.pools()).find((each) => each.currency === currency);
  const least = pool?.minimum ?? 1;
  const { external_user_id } = await client.members.create({ ...MEMBER, chain });
  const account = { type: "mobile_money", account: "+254700000000" };
  return {
    withdrawal: { amount: least, currency, source_currency: token, chain, destination: { ...account, name: "Certify" } },
    topup: {
      external_user_id,
      amount: Math.max(least, minimum_source_amount),
      currency,
      destination_currency: token,
      chain,
      source: account,
    },
  };
}

/** It made the one order, once, and said how it ended. */
function doneOnce(run: Run): string | null {
  const { made } = run.effects;
  if (made.size > 1) return `It created ${made.size} of them for one order.`;
  if (made.size === 0) return `It created nothing${refusalsOf(run)}.`;
  if (lastExit(run) !== 0) return `It created it, but exited with ${lastExit(run) ?? "nothing"}${refusalsOf(run)}.`;
  return sawTheEnd(run, "completed") ? null : "It exited with 0 before it had read that it is completed.";
}

/** What a client that moves fiat must survive. */
export const FIAT_SCENARIOS: readonly Scenario[] = [
  {
    name: "withdrawal",
    title: "Withdraws once, waits until it is completed, exits with 0 and ignores unknown fields",
    danger: "Nothing works.",
    kind: "withdrawal",
    judge: doneOnce,
  },
  {
    name: "top-up",
    title: "Tops up once, waits until it is completed, and exits with 0",
    danger: "Nothing works.",
    kind: "topup",
    judge: doneOnce,
  },
  {
    name: "lost answer",
    title: "Asks again under the same external_id when the answer is lost",
    danger: PAYS_TWICE,
    kind: "withdrawal",
    interfere: first("create", { lose: "answer" }),
    judge: doneOnce,
  },
  {
    name: "crash",
    title: "Finds its order again by its external_id when it restarts after a crash",
    danger: PAYS_TWICE,
    kind: "topup",
    isStartedAgain: true,
    interfere: first("create", { lose: "answer", andThen: "kill" }),
    judge: doneOnce,
  },
  {
    name: "failed",
    title: "Does not exit with 0 when the provider could not collect",
    danger: "Your books say that the member has paid, and no one has.",
    kind: "topup",
    order: () => ({ source: FAILING }),
    limitMs: 30_000,
    judge: knowsFailure,
  },
];
