import { data } from "currency-codes";

/** A currency that people are paid in: amounts are integers of `10^-exponent` of it (ISO 4217 minor units). */
export type FiatCurrency = { code: string; exponent: number; name: string };

/**
 * ISO 4217 also lists units without minor units (the library gives them 0, like the yen): metals, units of account, test codes, funds and
 * index units. The test reads the library's own ISO list and fails when a newer one disagrees with this set.
 */
const NOT_MONEY = new Set([
  "XAG",
  "XAU",
  "XBA",
  "XBB",
  "XBC",
  "XBD",
  "XDR",
  "XPD",
  "XPT",
  "XSU",
  "XTS",
  "XUA",
  "XXX",
  "BOV",
  "CHE",
  "CHW",
  "CLF",
  "COU",
  "MXV",
  "USN",
  "UYI",
  "UYW",
]);

const BY_CODE: ReadonlyMap<string, FiatCurrency> = new Map(
  data
    .filter((entry) => !NOT_MONEY.has(entry.code))
    .map((entry) => [entry.code, { code: entry.code, exponent: entry.digits, name: entry.currency }]),
);

/** The fiat currency of an ISO 4217 code, in capitals only; null when there is none (contract, part 1 "Fiat amounts"). */
export function findFiatCurrency(code: string): FiatCurrency | null {
  return BY_CODE.get(code) ?? null;
}
