import { seeded } from "#fault/random.ts";
import { runCallbacks } from "./callbacks.ts";
import { setChance } from "./chance.ts";
import type { History } from "./history.ts";
import { runLapsing } from "./lapsing.ts";
import { runPayments } from "./payments.ts";
import { runSettlements } from "./settlements.ts";

/** What is simulated, and how one history of it runs. */
export const FAMILIES: Readonly<Record<string, (history: History) => Promise<void>>> = {
  payments: runPayments,
  packs: (history) => runPayments(history, { isPacking: true }),
  wallets: (history) => runPayments(history, { wallets: 2 + history.random.fork("wallets").below(2) }),
  orders: (history) => runPayments(history, { hasOrders: true, wallets: 1 + history.random.fork("wallets").below(2) }),
  lapsing: runLapsing,
  callbacks: runCallbacks,
  settlements: runSettlements,
};

/** One history. The same seed gives the same one, step by step. */
export async function runHistory(family: string, seed: string, trace: ((line: string) => void) | null = null): Promise<History> {
  const run = FAMILIES[family];
  if (run === undefined) throw new Error(`There is no family ${family}: choose from ${Object.keys(FAMILIES).join(", ")}.`);
  const random = seeded(`${family} ${seed}`);
  setChance(random);
  const history: History = { seed, random, faults: new Set(), violations: [], trace: null, clock: () => 0 };
  history.trace = trace === null ? null : (line) => trace(`${(history.clock() / 1_000).toFixed(3)} ${line}`);
  const unhandled = (error: unknown) => history.violations.push(`nobody handled it, and the process would be dead: ${String(error)}`);
  process.on("unhandledRejection", unhandled);
  try {
    await run(history);
  } catch (error) {
    history.violations.push(`the simulation itself broke: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    process.off("unhandledRejection", unhandled);
  }
  return history;
}
