import { Bar, Chart, ended } from "../../_components/controls/chart.tsx";
import { Glance } from "../../_components/controls/glance.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Money } from "../../_components/controls/values.tsx";
import { None } from "../../_components/lists/table.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import { TREASURY_CHARTS } from "./plot-words.ts";
import type { Now } from "./use-overview.ts";

type Inside = NonNullable<Now["inside"]>;
type Coin = Inside["runway"][number];

/** The bars end here; anything longer needs no attention. */
const WHOLE_HOURS = 72;
const THRESHOLD_HOURS = 12;

/** The wallet is empty, or will be soon. */
function isShort({ hours, low_wallets: low, wallets }: Coin): boolean {
  return low === wallets || (hours !== null && hours < THRESHOLD_HOURS);
}

/** ⑦ How long the hot wallets last at the rate of the last 24 hours. */
export function RunwayChart({ runway }: { runway: Inside["runway"] }) {
  const t = useTranslations(TREASURY_CHARTS);
  const short = runway.filter(isShort);
  const partly = runway.filter((coin) => !isShort(coin) && coin.low_wallets > 0);
  const lasts = ({ hours, native }: Coin) =>
    native ? t.paysFees : hours === null ? t.notUsed : hours > WHOLE_HOURS ? t.moreThanDays(WHOLE_HOURS) : t.format.duration(hours * 3_600);
  return (
    <Chart
      title={t.runwayTitle}
      summary={
        runway.length === 0
          ? t.noWallet
          : [
              short.length === 0
                ? t.allLast(THRESHOLD_HOURS)
                : t.shortestRunway(short.map(({ currency, chain }) => t.onChain(currency, chain)).join(", "), THRESHOLD_HOURS),
              ...partly.map(({ currency, low_wallets: low, wallets }) => t.partlyLow(currency, low, wallets)),
            ].join(" ")
      }
      table={{
        columns: [{ header: t.currency }, { header: t.chain }, ...ended(t.balance, t.usedLastDay, t.lasts)],
        rows: runway.map((each) => ({
          key: `${each.chain} ${each.currency}`,
          cells: [
            each.currency,
            <Data key="chain">{each.chain}</Data>,
            <Money key="held" amount={each.balance} currency={each.currency} />,
            each.native ? <None key="used" /> : <Money key="used" amount={each.used_24h} currency={each.currency} />,
            lasts(each),
          ],
        })),
      }}
    >
      <ul className="bars">
        {runway.map((each) => (
          <li key={`${each.chain} ${each.currency}`}>
            <p className="bar-line">
              <span>
                {each.currency}{" "}
                <span className="bar-note" translate="no">
                  {each.chain}
                </span>
              </span>
              <span>
                {lasts(each)}
                {each.low_wallets > 0 && t.lowInWallets(each.low_wallets, each.wallets)}{" "}
                <span className="bar-note">
                  <Glance amount={each.balance} currency={each.currency} />
                </span>
              </span>
            </p>
            <Bar
              share={each.hours === null ? 1 : each.hours / WHOLE_HOURS}
              {...(isShort(each) && { tone: "failed" })}
              threshold={THRESHOLD_HOURS / WHOLE_HOURS}
            />
          </li>
        ))}
      </ul>
    </Chart>
  );
}

/** ⑧ The age of the rates used for quotes. */
export function RateAges({ rates }: { rates: Inside["rates"] }) {
  const t = useTranslations(TREASURY_CHARTS);
  const stale = rates.filter(({ fresh }) => !fresh);
  const oldest = Math.max(60, ...rates.map(({ age_seconds: seconds }) => seconds ?? 0));
  const state = ({ fresh, age_seconds: seconds }: Inside["rates"][number]) => (fresh ? t.fresh : seconds === null ? t.noRate : t.tooOld);
  // A fixed rate, as in the sandbox, is always current.
  const age = ({ age_seconds: seconds }: Inside["rates"][number]) =>
    seconds === null ? t.noRate : seconds === 0 ? t.fixed : t.format.duration(seconds);
  return (
    <Chart
      title={t.ratesTitle}
      summary={
        rates.length === 0
          ? t.noRates
          : stale.length === 0
            ? t.allFresh(rates.length)
            : t.tooOldToQuote(stale.map(({ pair }) => pair).join(", "))
      }
      aside={
        <p className="chart-summary">
          <Link href="/console/rates">{t.ratesCaption}</Link>
        </p>
      }
      table={{
        columns: [{ header: t.pair }, { header: t.age, align: "end" }, { header: t.state }],
        rows: rates.map((each) => ({ key: each.pair, cells: [<Data key="pair">{each.pair}</Data>, age(each), state(each)] })),
      }}
    >
      <ul className="bars rate-ages">
        {rates.map((each) => (
          <li key={each.pair}>
            <p className="bar-line">
              <span translate="no">{each.pair}</span>
              <span className="bar-note">
                {age(each)}
                {!each.fresh && each.age_seconds !== null && t.tooOldSuffix}
              </span>
            </p>
            <Bar share={each.age_seconds === null ? 1 : each.age_seconds / oldest} {...(!each.fresh && { tone: "failed" })} />
          </li>
        ))}
      </ul>
    </Chart>
  );
}
