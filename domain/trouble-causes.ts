import { isHaltReason } from "./halt-scope.ts";
import type { Runbook } from "./runbook.ts";
import { waitsForCap } from "./signer-caps.ts";
import type { Check, RateAge, Vitals, WaitingTransfers } from "./vitals.ts";

/** The current troubles, once per cause, with the runbook for that cause. */
export type Cause = {
  part: "database" | "worker" | "work" | "payments" | "chain" | "rates";
  /** The same from look to look. */
  name: string;
  /** In words that do not change while nothing does. */
  detail: string;
  forSeconds?: number;
  runbook: Runbook;
};

/** A payment that waits for this waits for its chain's nodes, and for nothing else. */
export function silentChainReason(chainName: string): string {
  return `No node of ${chainName} can be reached.`;
}

/**
 * The causes behind failing checks of `/ready`. A consequence of another cause has no line of its own: without a worker nobody reads the
 * chains or does due work, and payments that wait for a silent chain are reported with that chain.
 *
 * @param chains the configured chains, with their display names
 */
export function findCauses(
  checks: readonly Check[],
  vitals: Pick<Vitals, "rates" | "waitingTransfers">,
  chains: readonly { chain: string; name: string }[],
): Cause[] {
  const failing = new Map(checks.filter(({ ok }) => !ok).map((check) => [check.name, check]));
  const hasWorker = !failing.has("worker");
  const waiting = vitals.waitingTransfers.filter(({ reason }) => !isHaltReason(reason));
  return [
    ...of(failing.get("database"), "database", "database-away"),
    ...of(failing.get("worker"), "worker", "worker-down"),
    ...(hasWorker ? [...WORK].flatMap(([name, runbook]) => of(failing.get(name), "work", runbook)) : []),
    ...(hasWorker ? chains.flatMap((chain) => chainCause(chain, failing.get(`chain ${chain.chain}`), waiting)) : []),
    ...paymentCauses(waiting, chains),
    ...of(failing.get("rates"), "rates", hasWorker || lacksRate(vitals.rates) ? "rates-stale" : "worker-down"),
  ];
}

const WORK = new Map<string, Runbook>([
  ["transfers", "worker-down"],
  ["callbacks", "worker-down"],
  ["withdrawals", "fiat-provider"],
  ["topups", "fiat-provider"],
]);

function of(check: Check | undefined, part: Cause["part"], runbook: Runbook): Cause[] {
  if (check === undefined) return [];
  const { name, detail, why, forSeconds } = check;
  const cause = why ?? detail;
  return [{ part, name, detail: part === "work" ? `${name}, ${cause}` : cause, ...(forSeconds !== undefined && { forSeconds }), runbook }];
}

/** A worker that is gone fetches no rates, so they become stale; it does not remove any. */
function lacksRate(rates: readonly RateAge[]): boolean {
  return rates.some(({ ageSeconds }) => ageSeconds === null);
}

function chainCause(
  { chain, name }: { chain: string; name: string },
  check: Check | undefined,
  waiting: readonly WaitingTransfers[],
): Cause[] {
  const count = total(waiting.filter((each) => each.chain === chain && each.reason === silentChainReason(name)));
  if (check === undefined && count === 0) return [];
  const why = check?.why ?? check?.detail ?? "no node answers";
  const payments = count === 0 ? "" : `; ${counted(count)}`;
  const forSeconds = check?.forSeconds;
  return [
    {
      part: "chain",
      name: `chain ${chain}`,
      detail: `${name}: ${why}${payments}`,
      runbook: "rpc-dead",
      ...(forSeconds !== undefined && { forSeconds }),
    },
  ];
}

/** One for each runbook. */
function paymentCauses(waiting: readonly WaitingTransfers[], chains: readonly { chain: string; name: string }[]): Cause[] {
  const nameOf = (chain: string) => chains.find((each) => each.chain === chain)?.name ?? chain;
  const others = waiting.filter(({ chain, reason }) => reason !== silentChainReason(nameOf(chain)));
  return [...Map.groupBy(others, runbookOf)].map(([runbook, all]) => {
    const lines = all.map(({ chain, reason, count }) => `${counted(count)} on ${nameOf(chain)}: ${reason.replace(/\.$/, "")}`);
    return { part: "payments", name: `payments ${runbook}`, detail: lines.join("; "), runbook };
  });
}

function runbookOf({ kind, reason }: WaitingTransfers): Runbook {
  if (kind === "treasury_funding") return "treasury-empty";
  if (waitsForCap(reason) !== null) return "above-cap";
  return kind === "review" ? "needs-review" : "payments-waiting";
}

function total(waiting: readonly WaitingTransfers[]): number {
  return waiting.reduce((sum, { count }) => sum + count, 0);
}

function counted(count: number): string {
  return count === 1 ? "1 payment waits" : `${count} payments wait`;
}
