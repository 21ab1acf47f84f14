import { topupFiatOperation, withdrawFiatOperation } from "#contract/partner/fiat-operations.ts";
import { createMemberOperation } from "#contract/partner/member-operations.ts";
import { read } from "./answers.ts";
import { asPartner, freshName, freshPhone } from "./partner-surface.ts";
import { chain } from "./running-sandbox.ts";
import { freshWallet } from "./settlements.ts";

/** Members and fiat orders for stories; each function creates new ones and returns their ids. */

/** A member with its own wallet and one with a Safe, a withdrawal, and a top-up of the first one. */
export async function membersAndOrders(): Promise<Record<"member" | "withSafe" | "withdrawal" | "topup", string>> {
  const member = async (more: Record<string, unknown>) => {
    const body = { external_user_id: freshName("user"), phone: freshPhone(), ...more };
    return read(createMemberOperation, await asPartner.call("POST", "/partners/members", body));
  };
  const own = await member({ wallet_address: freshWallet() });
  const order = { ...amount(), external_id: freshName("order"), destination_currency: "USDT", source: account() };
  const topup = await asPartner.call("POST", "/partners/transactions/topup-fiat", { ...order, external_user_id: own.external_user_id });
  return {
    member: own.id,
    withSafe: (await member({})).id,
    withdrawal: await withdrawal(),
    topup: read(topupFiatOperation, topup).id,
  };
}

export async function withdrawal(): Promise<string> {
  const destination = { ...account(), name: "Wanjiru" };
  const order = { ...amount(), external_id: freshName("order"), source_currency: "USDT", destination };
  return read(withdrawFiatOperation, await asPartner.call("POST", "/partners/transactions/withdraw-fiat", order)).id;
}

const amount = () => ({ amount: 45_600, currency: "KES", chain: chain.chain });
const account = () => ({ type: "mobile_money", account: freshPhone() });
