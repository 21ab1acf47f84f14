import { MONTH } from "#domain/month-statement.ts";
import { text } from "../../_components/lists/address-params.ts";

export const STATEMENT_PARAMS = { month: text, partner: text };

/** The month that is asked for, else the present one (UTC). */
export function monthOf(asked: string | null): string {
  return asked !== null && MONTH.test(asked) ? asked : new Date().toISOString().slice(0, 7);
}
