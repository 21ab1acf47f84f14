import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { askOpenLimits, expectsOpenLimits, openLimitsInForce, rememberOpenLimits } from "#db/queries/exposure/open-quotes.ts";
import {
  type PricedTerms,
  type PricedTermsRow,
  type PricingKey,
  pricedTermsColumns,
  pricedTermsFrom,
  pricedTermsFromRow,
} from "#db/queries/rates/pair-terms.ts";
import { type Liquidity, liquidity, liquidityFromRow } from "#db/queries/transfers/liquidity.ts";
import { haltOf } from "#db/queries/transfers/wallets.ts";
import { statement } from "#db/statement.ts";
import { sentTogether } from "#db/transaction.ts";
import type { OpenLimit } from "#domain/open-quotes.ts";
import {
  askQuoteConditions,
  type ConditionsInForce,
  conditionsInForce,
  conditionsOf,
  expectsConditions,
  type QuoteConditions,
  type Quoting,
} from "./quote-conditions.ts";

/** All of the database that a quote rests on, as of one instant. */
export type QuoteBasis = {
  /** null: the partner has no terms for the pair. */
  priced: PricedTerms | null;
  /** Nothing is paid on the chain. */
  isHalted: boolean;
  /** The service's own addresses on the chain. */
  ours: readonly string[];
  /** null: no worker has looked yet. */
  funds: Liquidity | null;
  /** What the quote may have to wait for. */
  conditions: QuoteConditions;
  /** What is open of its pair, where that is limited: nobody else quotes it until the transaction ends. */
  open: OpenLimit[];
};

type Row = ConditionsInForce & {
  isOpenLimited: boolean;
  isHalted: boolean;
  ours: string[];
  free: string | null;
  largest: string | null;
} & (PricedTermsRow | { id: null });

/**
 * Reads the basis: changes take effect with the very next request of every process. Limits and approval policy are read only if there are
 * any, which the basis always says. If the last quote had any, they are read at once, in the same round trip. So are limits on what is open,
 * which are locked.
 */
export async function readQuoteBasis(db: Database, quoting: Quoting): Promise<QuoteBasis> {
  const ask = () => askQuoteConditions(db, quoting);
  const [{ inForce, isOpenLimited, ...basis }, asked, openAsked] = await sentTogether(
    readBasis(db, quoting),
    expectsConditions(quoting.partnerId) ? ask() : Promise.resolve(null),
    expectsOpenLimits() ? askOpenLimits(db, quoting) : Promise.resolve(null),
  );
  const param = conditionsOf(quoting.partnerId, inForce);
  rememberOpenLimits(isOpenLimited);
  const open = openAsked ?? (isOpenLimited ? await askOpenLimits(db, quoting) : []);
  return { ...basis, open, conditions: asked ?? param ?? (await ask()) };
}

type Basis = Omit<QuoteBasis, "conditions" | "open"> & { inForce: ConditionsInForce; isOpenLimited: boolean };

async function readBasis(db: Database, { partnerId, sourceCurrency, destinationCurrency, chain }: PricingKey): Promise<Basis> {
  const [row] = await asked(db, { partnerId, sourceCurrency, destinationCurrency, chain });
  if (row === undefined) throw new Error("the database returned nothing for a pair");
  const { isHalted, ours, free, largest, isLimited, isOpenLimited, policyId } = row;
  const funds = free === null || largest === null ? null : liquidityFromRow({ chain, currency: destinationCurrency, free, largest });
  return {
    isHalted,
    ours,
    funds,
    isOpenLimited,
    inForce: { isLimited, policyId },
    priced: row.id === null ? null : pricedTermsFromRow(row),
  };
}

const asked = statement<PricingKey, Row>((param) => {
  const chain = sql`${param("chain")}::text`;
  return sql`
    select own.*, funds.free, funds.largest, priced.*
    from (select ${haltOf(chain)} as "isHalted", array(select address from wallets where wallets.chain = ${chain}) as ours,
      ${conditionsInForce()}, ${openLimitsInForce()} as "isOpenLimited") as own
    left join (${liquidity(sql`w.chain = ${chain} and b.currency = ${param("destinationCurrency")}`)}) as funds on true
    left join (select ${pricedTermsColumns()} from ${pricedTermsFrom(param)}) as priced on true`;
});
