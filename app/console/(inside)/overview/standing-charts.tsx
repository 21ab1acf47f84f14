import Link from "next/link";
import { Bar, Chart, ended } from "../../_components/controls/chart.tsx";
import { Glance } from "../../_components/controls/glance.tsx";
import { Money } from "../../_components/controls/values.tsx";
import type { Now } from "./use-overview.ts";
import { duration } from "./words.ts";

type Inside = NonNullable<Now["inside"]>;

/** The bars end here; what lasts longer needs nobody. */
const WHOLE_HOURS = 72;
const THRESHOLD_HOURS = 12;

/** ⑦ How long the hot wallets last at the pace of the last 24 hours. */
export function RunwayChart({ runway }: { runway: Inside["runway"] }) {
  const short = runway.filter(({ low, hours }) => low || (hours !== null && hours < THRESHOLD_HOURS));
  const lasts = ({ hours }: Inside["runway"][number]) =>
    hours === null ? "not used" : hours > WHOLE_HOURS ? `> ${WHOLE_HOURS / 24} d` : duration(hours * 3_600);
  return (
    <Chart
      title="Wallet runway"
      summary={
        runway.length === 0
          ? "No wallet has been looked at yet."
          : short.length === 0
            ? `Every balance lasts longer than ${THRESHOLD_HOURS} hours at the pace of the last 24.`
            : `${short.map(({ currency, chain }) => `${currency} on ${chain}`).join(", ")}: less than ${THRESHOLD_HOURS} hours, or low.`
      }
      table={{
        columns: [{ header: "Currency" }, { header: "Chain" }, ...ended("Balance", "Used in 24 h", "Lasts")],
        rows: runway.map((each) => ({
          key: `${each.chain} ${each.currency}`,
          cells: [
            each.currency,
            each.chain,
            <Money key="held" amount={each.balance} currency={each.currency} />,
            <Money key="used" amount={each.used_24h} currency={each.currency} />,
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
                {each.currency} <span className="bar-note">{each.chain}</span>
              </span>
              <span>
                {lasts(each)}
                {each.low && ", low"}{" "}
                <span className="bar-note">
                  <Glance amount={each.balance} currency={each.currency} />
                </span>
              </span>
            </p>
            <Bar
              share={each.hours === null ? 1 : each.hours / WHOLE_HOURS}
              {...((each.low || (each.hours !== null && each.hours < THRESHOLD_HOURS)) && { tone: "failed" })}
              threshold={THRESHOLD_HOURS / WHOLE_HOURS}
            />
          </li>
        ))}
      </ul>
    </Chart>
  );
}

/** ⑧ How old the rates are that quotes are made of. */
export function RateAges({ rates }: { rates: Inside["rates"] }) {
  const stale = rates.filter(({ fresh }) => !fresh);
  const oldest = Math.max(60, ...rates.map(({ age_seconds: seconds }) => seconds));
  const state = ({ fresh }: Inside["rates"][number]) => (fresh ? "fresh" : "too old");
  // A fixed rate, as the sandbox has them, is always of this very moment.
  const age = ({ age_seconds: seconds }: Inside["rates"][number]) => (seconds === 0 ? "fixed" : duration(seconds));
  return (
    <Chart
      title="Age of rates"
      summary={
        rates.length === 0
          ? "There are no rates yet."
          : stale.length === 0
            ? `All ${rates.length} are fresh.`
            : `${stale.map(({ pair }) => pair).join(", ")}: too old to quote from.`
      }
      aside={
        <p className="chart-summary">
          <Link href="/console/rates">Rates and pairs</Link>
        </p>
      }
      table={{
        columns: [{ header: "Pair" }, { header: "Age", align: "end" }, { header: "State" }],
        rows: rates.map((each) => ({ key: each.pair, cells: [each.pair, age(each), state(each)] })),
      }}
    >
      <ul className="bars rate-ages">
        {rates.map((each) => (
          <li key={each.pair}>
            <p className="bar-line">
              <span>{each.pair}</span>
              <span className="bar-note">
                {age(each)}
                {!each.fresh && ", too old"}
              </span>
            </p>
            <Bar share={each.age_seconds / oldest} {...(!each.fresh && { tone: "failed" })} />
          </li>
        ))}
      </ul>
    </Chart>
  );
}
