import type { Trial } from "./answers.ts";

type Found = Trial["would_wait"];

/** No more rows are shown of each kind; counts and sums cover all. */
const ROWS_SHOWN = 50;

/** The parts of a trial as one: counts and exact sums added, the newest rows, and since when. */
export function joinTrials(parts: readonly Trial[]): Trial | null {
  const last = parts.at(-1);
  if (last === undefined) return null;
  const sum = (of: (part: Trial) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    ...last,
    examined: sum(({ examined }) => examined),
    more_asked: sum(({ more_asked }) => more_asked),
    as_before: sum(({ as_before }) => as_before),
    would_wait: joinFound(parts.map(({ would_wait }) => would_wait)),
    no_longer: joinFound(parts.map(({ no_longer }) => no_longer)),
  };
}

function joinFound(parts: readonly Found[]): Found {
  const sums = new Map<string, string>();
  for (const { currency, amount } of parts.flatMap(({ source }) => source)) sums.set(currency, added(sums.get(currency), amount));
  return {
    count: parts.reduce((total, { count }) => total + count, 0),
    source: [...sums].map(([currency, amount]) => ({ currency, amount })),
    rows: parts.flatMap(({ rows }) => rows).slice(0, ROWS_SHOWN),
  };
}

/** Exact: amounts of one currency have the same number of decimals. */
function added(sum: string | undefined, amount: string): string {
  if (sum === undefined) return amount;
  const decimals = amount.split(".")[1]?.length ?? 0;
  const digits = (BigInt(sum.replace(".", "")) + BigInt(amount.replace(".", ""))).toString().padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
