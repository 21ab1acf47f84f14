import type { Metadata } from "next";
import { findFiatCurrency } from "#domain/currency.ts";
import { MAX_DISPLAY_DECIMALS, MAX_WRITTEN_DIGITS } from "#domain/money.ts";
import { RATE_DIGITS } from "#domain/quote.ts";
import { exampleArithmetic } from "../_content/example.ts";
import { SAMPLE_SOURCE_AMOUNT, SAMPLE_SOURCE_CURRENCY } from "../_content/samples.ts";
import { Code, Codes, Note, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";

const page = pageAt("/docs/amounts");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Amounts() {
  const { example } = readSite();
  return (
    <Shell current={page.path} title={page.title} lead="Integers for fiat, exact decimals for crypto, no hidden rounding.">
      <Section id="fiat" title="Fiat amounts">
        <p>
          Integers in the currency’s minor units, as ISO 4217 defines them, from 1 to 2<sup>53</sup> − 1. Only a number’s value counts:{" "}
          <code>100.0</code> is 100. The service refuses <code>100.5</code> and <code>"100"</code>.
        </p>
        <FiatTable />
      </Section>
      <Section id="crypto" title="Crypto amounts and decimal places">
        <p>
          JSON numbers, always exact: at most {MAX_DISPLAY_DECIMALS} decimals (fewer where the token has fewer) and at most{" "}
          {MAX_WRITTEN_DIGITS} significant digits, never with an exponent. Every JSON parser reads exactly the value that we wrote. The
          service refuses an amount that does not fit with <Codes codes={["amount_too_large"]} />.
        </p>
        <p>
          <code>destination_amount</code> is what the wallet receives, after <code>platform_fee</code>.
        </p>
      </Section>
      <Section id="quote" title="How a quote and its fees are computed">
        <p>
          <code>exchange_rate</code> is destination units per one <em>major</em> unit of the source currency, with at most {RATE_DIGITS}{" "}
          significant digits. It includes the spread. The quote is computed from this published number:
        </p>
        <Code label={`${SAMPLE_SOURCE_CURRENCY} to ${example.currency}`} text={arithmetic(example.currency)} />
        <p>
          The service rounds the result down to the currency’s decimals. If nothing remains after the fee, it refuses the settlement with{" "}
          <Codes codes={["amount_too_small"]} />.
        </p>
      </Section>
      <Section id="pairs" title="Supported currencies, limits and previews">
        <ul>
          <li>
            <code>GET /api/v1/pairs</code> lists what you may quote, with minimum, maximum, fee and the quote’s lifetime.{" "}
            <code>quoting</code> is <code>down</code> while there is no fresh rate, or while not even the minimum can be paid. You then get
            no quote, but <Codes codes={["rate_unavailable"]} /> or <Codes codes={["liquidity_unavailable"]} />.
          </li>
          <li>
            <code>GET /api/v1/rates/preview</code> returns an indicative rate. It stores and promises nothing. With{" "}
            <code>wallet_address</code> it also says what the network would take for the payment (<code>network_cost</code>). We pay that:
            it is not taken off the amount. The answer to <code>POST /api/v1/settlements</code> has it as far as we know it then.
          </li>
          <li>
            The maximum is not a hard limit: above it, a settlement <a href="/docs/lifecycle#approval">needs an approval</a>.
          </li>
        </ul>
        <Note>
          <p>Read amounts with a decimal type. A binary float reads them exactly, but you must round its sums and products yourself.</p>
        </Note>
      </Section>
    </Shell>
  );
}

function FiatTable() {
  const rows = [SAMPLE_SOURCE_CURRENCY, "USD", "JPY", "KWD"].map((code) => {
    const currency = findFiatCurrency(code);
    const exponent = currency?.exponent ?? 0;
    return [<code key={code}>{code}</code>, currency?.name ?? "", String(exponent), `1${"0".repeat(exponent)} is 1 ${code}`];
  });
  return <Table caption="Minor units of some currencies" columns={["Code", "Currency", "Decimals", "Example"]} rows={rows} />;
}

function arithmetic(currency: string): string {
  const { source, rate, gross, fee, net } = exampleArithmetic();
  return `source_amount       ${SAMPLE_SOURCE_AMOUNT} minor units = ${source} ${SAMPLE_SOURCE_CURRENCY}
exchange_rate       ${rate}
gross               ${source} × ${rate} = ${gross} ${currency}, rounded down
platform_fee        ${fee} ${currency}
destination_amount  ${gross} − ${fee} = ${net} ${currency}`;
}
