import { planSimulatedOrder } from "#domain/simulated-order.ts";
import type { SettlementClient, TopupRequestResponse, WithdrawRequestResponse } from "#sdk/typescript/src/index.ts";
import type { World } from "./bring-about.ts";
import { Trouble } from "./exit.ts";
import { walletOfNobody } from "./wallets.ts";

type FiatOrder = WithdrawRequestResponse | TopupRequestResponse;
type Wish = {
  currency: string;
  token: string;
  chain: string;
  account: string;
  reference: string;
  callback_url: string /** Of the pair, by which a top-up is priced. */;
  least: number;
};

export const FIAT_KINDS = ["withdrawal", "topup"] as const;
export type FiatKind = (typeof FIAT_KINDS)[number];

/** A mobile money account of that ending, by which the simulated provider goes. */
export function accountOf(ending: string): string {
  return `+254700${ending}`;
}

/** How an order for that account ends, by what the provider will say of it. */
export function expectedEnd(account: string): "completed" | "failed" {
  const plan = planSimulatedOrder(account, "");
  return plan.refusal === null && plan.outcome.status === "succeeded" && !plan.isForgotten ? "completed" : "failed";
}

/** The smallest payout of the pool, from the partner's own Safe; or a top-up of that amount for a new member. */
async function placeOrder(client: SettlementClient, kind: FiatKind, wish: Wish, signal: AbortSignal): Promise<FiatOrder> {
  const { currency, token, chain, account, reference, callback_url, least } = wish;
  const pool = (await client.withdrawals.pools({ signal })).find((each) => each.currency === currency);
  if (pool === undefined) throw new Trouble(`There is no pool of ${currency}.`);
  const order = { external_id: reference, amount: Math.max(pool.minimum, kind === "topup" ? least : 0), currency, chain, callback_url };
  if (kind === "withdrawal") {
    const destination = { type: "mobile_money" as const, account, name: "Wanjiru" };
    return await client.withdrawals.create({ ...order, source_currency: token, destination }, { signal });
  }
  const phone = `+2547${String(Math.floor(Math.random() * 1e8)).padStart(8, "0")}`;
  const member = { external_user_id: reference, phone, wallet_address: walletOfNobody(), chain };
  await client.members.create(member, { signal });
  const source = { type: "mobile_money" as const, account };
  return await client.topups.create({ ...order, external_user_id: reference, destination_currency: token, source }, { signal });
}

/** The order once it has ended. */
export async function bringOrderAbout({ client, note, timeoutMs, signal }: World, kind: FiatKind, wish: Wish): Promise<FiatOrder> {
  const { id, status } = await placeOrder(client, kind, wish, signal);
  note(`${id}: ${status}, for the account ${wish.account} …`);
  const waiting = { timeoutMs, signal };
  return kind === "withdrawal" ? await client.withdrawals.waitForTerminal(id, waiting) : await client.topups.waitForTerminal(id, waiting);
}
