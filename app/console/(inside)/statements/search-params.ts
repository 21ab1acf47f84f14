import { createLoader, parseAsString } from "nuqs/server";
import { MONTH } from "#domain/month-statement.ts";

export const STATEMENT_PARAMS = { month: parseAsString, partner: parseAsString };
export const loadStatementParams = createLoader(STATEMENT_PARAMS);

/** The month that is asked for, else the present one (UTC). */
export function monthOf(asked: string | null): string {
  return asked !== null && MONTH.test(asked) ? asked : new Date().toISOString().slice(0, 7);
}
