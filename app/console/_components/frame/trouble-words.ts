import type { HEALTH_LINE } from "./words.ts";

type Translations = typeof HEALTH_LINE;

/** A trouble with its details, for operators. */
export function troubleWords({ part, detail }: { part: string; detail: string }, t: Translations): string {
  const { operators } = t;
  switch (part) {
    case "database":
      return operators.database;
    case "database_slow":
      return operators.databaseSlow;
    case "worker":
      return operators.worker;
    case "work":
      return operators.work(detail);
    case "payments":
      return operators.payments(detail);
    case "chain":
      return operators.chain(detail);
    case "rates":
      return operators.rates(detail);
    case "halt":
      return operators.halt(detail.replace(/\.$/, ""));
    case "screening":
      return operators.screening(detail);
    case "replica":
      return operators.replica(detail);
    default:
      return troubleForEverybody({ part, detail }, t);
  }
}

/** The same without internal details. */
export function troubleForEverybody({ part, detail }: { part: string; detail: string }, { everybody }: Translations): string {
  switch (part) {
    case "offline":
      return everybody.offline;
    case "service":
      return everybody.service;
    case "rates":
      return everybody.rates(detail);
    case "database":
    case "database_slow":
      return everybody.database;
    default:
      return everybody.delayed;
  }
}
