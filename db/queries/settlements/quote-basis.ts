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
import { haltOf } from "#db/queries/transfers/chain-halt.ts";
import { type Liquidity, liquidity, liquidityFromRow } from "#db/queries/transfers/liquidity.ts";
import { walletsOf } from "#db/queries/transfers/wallets.ts";
import { statement } from "#db/statement.ts";
import { sentTogether } from "#db/transaction.ts";
import { pairKey } from "#domain/halt-scope.ts";
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
  /** What is open of its pair, where that is limited: no other transaction quotes it until the transaction ends. */
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
 * Reads the bases of a partner's quotes, those of a pair once: changes take effect with the very next request of every process. Limits and approval policy are read only if there are
 * any, which the basis always says. If the last quote had any, they are read at once, in the same round trip. So are limits on what is open,
 * which are locked.
 */
export async function readQuoteBases(db: Database, quoting: readonly Quoting[]): Promise<QuoteBasis[]> {
  const [first] = quoting;
  if (first === undefined) return [];
  const pairs = [...new Map(quoting.map((each) => [pairKey(each), each])).values()];
  const ask = () => askQuoteConditions(db, quoting);
  const [bases, asked, openAsked] = await sentTogether(
    sentTogether(...pairs.map((pair) => readBasis(db, pair))),
    expectsConditions(first.partnerId) ? ask() : Promise.resolve(null),
    expectsOpenLimits() ? askOpenLimits(db, pairs) : Promise.resolve(null),
  );
  const [{ inForce, isOpenLimited } = NOTHING_IN_FORCE] = bases;
  const known = conditionsOf(first.partnerId, inForce);
  rememberOpenLimits(isOpenLimited);
  const open = openAsked ?? (isOpenLimited ? await askOpenLimits(db, pairs) : []);
  const conditions = asked ?? (known === null ? await ask() : null);
  const places = new Map(pairs.map((pair, place) => [pairKey(pair), place]));
  return quoting.map((each, index) => {
    const place = places.get(pairKey(each)) ?? 0;
    const basis = bases[place];
    const own = conditions?.[index] ?? known;
    if (basis === undefined || own === null) throw new Error("the basis of a quote was not read");
    const { priced, isHalted, ours, funds } = basis;
    return { priced, isHalted, ours, funds, open: open[place] ?? [], conditions: own };
  });
}

const NOTHING_IN_FORCE = { inForce: { isLimited: false, policyId: null }, isOpenLimited: false };

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

/** The chain's wallets are read once: which of them pay decides whether the chain is halted, and what the treasury has. */
const asked = statement<PricingKey, Row>((param) => {
  const chain = sql`${param("chain")}::text`;
  const own = sql`own`;
  return sql`
    with own as materialized (${walletsOf(sql`w.chain = ${chain}`)})
    select found.*, funds.free, funds.largest, priced.*
    from (select ${haltOf(chain, own)} as "isHalted", array(select address from own) as ours,
      ${conditionsInForce()}, ${openLimitsInForce()} as "isOpenLimited") as found
    left join (${liquidity(own, sql`b.currency = ${param("destinationCurrency")}`)}) as funds on true
    left join (select ${pricedTermsColumns()} from ${pricedTermsFrom(param)}) as priced on true`;
});
