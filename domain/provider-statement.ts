import { parseCsv } from "./csv.ts";
import { findFiatCurrency } from "./currency.ts";
import { parseDecimal } from "./decimal.ts";
import { decimalToBase } from "./money.ts";

/** A line of the provider's own statement about one order. */
export type StatementRow = {
  line: number;
  orderId: string | null;
  reference: string | null;
  status: "succeeded" | "failed" | "pending";
  amountMinor: bigint;
  currency: string;
  /** What the provider took for it besides the amount; null: the statement does not say. */
  feeMinor: bigint | null;
};

/** The parts of our order that a statement can mention. */
export type StatedOrder = {
  id: string;
  kind: "withdrawal" | "topup";
  /** The name of the provider that it is with. */
  provider: string;
  amountMinor: bigint;
  currency: string;
  reference: string | null;
  /** The order's state according to our records. `never_given`: it was not submitted; `open`: the provider has not reported yet. */
  recorded: "succeeded" | "failed" | "open" | "never_given";
  ambiguous: boolean;
};

/**
 * The result for one order. `ambiguous`: the outcome was unknown, and now the statement says it: an operator settles the order. `open`: one
 * of the two sides has no result yet, and nothing contradicts.
 */
export type Verdict = { outcome: "matched" | "open" | "ambiguous" } | { outcome: "contradicting"; why: string };

const COLUMNS = ["order_id", "reference", "status", "amount", "currency", "fee"] as const;
const STATUSES = ["succeeded", "failed", "pending"] as const;

/**
 * Parses a statement: CSV with a header that names at least `status`, `amount` (in units of the currency), `currency`, and `order_id` or
 * `reference`, in any order; `fee`, in the same units, may be there. It never guesses: one unreadable line refuses the file.
 *
 * @throws RangeError which names the line
 */
export function readProviderStatement(text: string): StatementRow[] {
  const [head, ...lines] = parseCsv(text.replace(/^\uFEFF/, ""));
  const places = new Map(COLUMNS.map((name) => [name, head?.findIndex((cell) => cell.trim().toLowerCase() === name) ?? -1]));
  for (const name of ["status", "amount", "currency"] as const)
    if (places.get(name) === -1) throw new RangeError(`no column is named ${name}`);
  if (places.get("order_id") === -1 && places.get("reference") === -1) throw new RangeError("no column is named order_id or reference");
  return lines.map((cells, index) => {
    const cell = (name: (typeof COLUMNS)[number]) => cells[places.get(name) ?? -1]?.trim() ?? "";
    return readRow(index + 2, cell);
  });
}

function readRow(line: number, cell: (name: (typeof COLUMNS)[number]) => string): StatementRow {
  const status = STATUSES.find((known) => known === cell("status").toLowerCase());
  if (status === undefined) throw new RangeError(`line ${line}: the status is none of ${STATUSES.join(", ")}`);
  const currency = cell("currency").toUpperCase();
  const exponent = findFiatCurrency(currency)?.exponent;
  const amount = parseDecimal(cell("amount"));
  const amountMinor = exponent === undefined || amount === null ? null : decimalToBase(amount, exponent);
  if (amountMinor === null || amountMinor <= 0n) throw new RangeError(`line ${line}: that is no amount of a currency`);
  const [orderId, reference] = [cell("order_id") || null, cell("reference") || null];
  if (orderId === null && reference === null) throw new RangeError(`line ${line}: it names neither an order nor a reference`);
  const fee = cell("fee") === "" ? null : parseDecimal(cell("fee"));
  const feeMinor = fee === null || exponent === undefined ? null : decimalToBase(fee, exponent);
  if (cell("fee") !== "" && (feeMinor === null || feeMinor < 0n)) throw new RangeError(`line ${line}: that is no fee in ${currency}`);
  return { line, orderId, reference, status, amountMinor, currency, feeMinor };
}

/** Compares all lines of a statement about one order with our records. */
export function judgeStatement(order: StatedOrder, rows: readonly StatementRow[]): Verdict {
  const why = findContradiction(order, rows);
  if (why !== null) return { outcome: "contradicting", why };
  if (order.ambiguous) return { outcome: "ambiguous" };
  return { outcome: order.recorded === "open" || rows.some(({ status }) => status === "pending") ? "open" : "matched" };
}

function findContradiction(order: StatedOrder, rows: readonly StatementRow[]): string | null {
  const moved = rows.filter(({ status }) => status === "succeeded");
  if (rows.some((row) => row.amountMinor !== order.amountMinor || row.currency !== order.currency))
    return "another amount than was ordered";
  if (moved.length > 1) return "the money moved more than once";
  if (order.recorded === "never_given") return "it was never given this order";
  const [paid] = moved;
  if (paid === undefined) return order.recorded === "succeeded" ? "we hold it for done, and the statement does not" : null;
  if (order.recorded === "failed") return "we hold it for failed, and the money moved";
  const other = order.reference !== null && paid.reference !== null && order.reference !== paid.reference;
  return other && order.recorded === "succeeded" ? `the money moved under ${paid.reference}, and we know ${order.reference}` : null;
}
