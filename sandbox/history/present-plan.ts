import type { Reception } from "./plan.ts";

/** What the partners' programs ask for today: members, and fiat in and out of every fate. Pure, the same at every first start. */

type Owned = { partner: "demo" | "second" };
export type Ordered = Owned & { reception: Reception };

const person = (partner: Owned["partner"], external_user_id: string, name: string, phone: string) => ({
  partner,
  external_user_id,
  name,
  phone,
});

export const MEMBERS = [
  person("demo", "wanjiru", "Wanjiru Kamau", "+254712000101"),
  person("demo", "otieno", "Otieno Odhiambo", "+254712000102"),
  person("demo", "achieng", "Achieng Were", "+254712000103"),
  person("demo", "kiptoo", "Kiptoo Cheruiyot", "+254712000104"),
  person("demo", "njeri", "Njeri Mwangi", "+254712000105"),
  person("demo", "barasa", "Barasa Wekesa", "+254712000106"),
  person("second", "ines", "Inês Duarte", "+351912000101"),
  person("second", "jonas", "Jonas Reuter", "+4915112000102"),
];

type Coins = { currency: string; destination_currency: string };
const KES: Coins = { currency: "KES", destination_currency: "USDT" };
const EUR: Coins = { currency: "EUR", destination_currency: "USDC" };

/** `account`: what the simulated provider does with it (`domain/simulated-order.ts`). Amounts in minor units. */
function topup(partner: Owned["partner"], member: string, account: string, amount: number, coins: Coins, reception: Reception = "well") {
  const source = { type: "mobile_money" as const, account };
  return { partner, reception, external_id: `topup-${member}-${account.slice(-6)}`, external_user_id: member, amount, ...coins, source };
}

export const TOPUPS = [
  topup("demo", "wanjiru", "+254712000101", 2_500_000, KES),
  topup("demo", "otieno", "+254712000102", 1_800_000, KES),
  topup("demo", "achieng", "+254712000103", 3_200_000, KES),
  topup("second", "ines", "+351912000101", 90_000, EUR),
  // Is refused by the member's bank.
  topup("demo", "kiptoo", "+254712999901", 450_000, KES),
  // Is paid after ten minutes.
  topup("demo", "njeri", "+254712999902", 700_000, KES),
  // Is paid after a day, too late.
  topup("demo", "barasa", "+254712999910", 1_200_000, KES),
  // Is unknown to the provider after an hour, and waits for an operator.
  topup("second", "jonas", "+351912999911", 40_000, EUR, "unauthorized"),
];

const KES_OUT = { currency: "KES", source_currency: "USDT" };
const EUR_OUT = { currency: "EUR", source_currency: "USDC" };

function withdrawal(
  partner: Owned["partner"],
  member: string | null,
  account: string,
  amount: number,
  coins: { currency: string; source_currency: string },
  reception: Reception = "well",
) {
  const destination = { type: "mobile_money" as const, account, name: member ?? "Treasury" };
  const id = { external_id: `withdrawal-${member ?? "own"}-${account.slice(-6)}` };
  return { partner, reception, ...id, ...(member !== null && { external_user_id: member }), amount, ...coins, destination };
}

export const WITHDRAWALS = [
  withdrawal("demo", "wanjiru", "+254712000101", 900_000, KES_OUT),
  withdrawal("demo", "otieno", "+254712000102", 400_000, KES_OUT, "unavailable"),
  // Fails at the bank: the crypto comes back.
  withdrawal("demo", "achieng", "+254712999901", 600_000, KES_OUT),
  // The provider refuses it, because the account is closed.
  withdrawal("demo", "wanjiru", "+254712999909", 300_000, KES_OUT),
  // Takes ten minutes.
  withdrawal("demo", "achieng", "+254712999902", 500_000, KES_OUT),
  // Is unknown to the provider after an hour.
  withdrawal("demo", "otieno", "+254712999911", 250_000, KES_OUT),
  // Out of the partner's own Safe: leaves the pool below its low-water mark.
  withdrawal("second", null, "+4915112000999", 11_500_000, EUR_OUT, "unauthorized"),
];
