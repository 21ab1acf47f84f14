import { fromAtto } from "#domain/exposure-limit.ts";
import { fiatAmount } from "#domain/money.ts";
import type { Exposure } from "#domain/open-quotes.ts";
import type { ProviderBalance } from "#domain/provider-balance.ts";
import type { Meter } from "#server/ports.ts";
import { metrics } from "./metrics.ts";

/**
 * The surfaces' metrics: each function counts one event. None of them throws for any input, and none waits. Labels come from closed sets
 * (operations, codes, chains, wallets), never from a caller's input.
 */

export type RequestNote = {
  surface: "settlement" | "partner" | "system" | "sandbox";
  /** The operation's name, never the path; `unknown` where none matched. */
  operation: string;
  status: number;
  /** The refusal's code; null: success. */
  code: string | null;
  seconds: number;
};

export function observeRequest(note: RequestNote): void {
  const { requests, requestSeconds } = metrics();
  requests.inc({ surface: note.surface, operation: note.operation, status: String(note.status), outcome: note.code ?? "ok" });
  requestSeconds.observe({ surface: note.surface, operation: note.operation }, seconds(note.seconds));
}

/**
 * `outcome`: `delivered`, or the attempt's kind of failure. `latenessSeconds`: how long after its due time it began. A delay by its own
 * queue (`wasHeldBack`) does not count as our lateness.
 */
export function observeCallbackAttempt(note: { outcome: string; latenessSeconds: number; wasHeldBack: boolean; seconds: number }): void {
  const { callbackAttempts, callbackSeconds, callbackLateness } = metrics();
  callbackAttempts.inc({ outcome: note.outcome });
  callbackSeconds.observe(seconds(note.seconds));
  if (!note.wasHeldBack) callbackLateness.observe(seconds(note.latenessSeconds));
}

/** The health of the callbacks' receivers according to this worker. Those not named answer. */
export function setReceivers(note: {
  answering: number;
  failing: number;
  failingSeconds: readonly { receiver: string; seconds: number }[];
}): void {
  const { callbackReceivers, callbackReceiverFailing } = metrics();
  callbackReceivers.set({ state: "answering" }, note.answering);
  callbackReceivers.set({ state: "failing" }, note.failing);
  callbackReceiverFailing.reset();
  for (const { receiver, seconds } of note.failingSeconds) callbackReceiverFailing.set({ receiver }, seconds);
}

export function observeTransfer(note: { chain: string; from: string; to: string }): void {
  metrics().transferMoves.inc({ chain: note.chain, from: note.from, to: note.to });
}

/** `seconds`: from the confirmation until the payment was final on the chain, in business time. */
export function observeExecution(note: { chain: string; seconds: number }): void {
  metrics().executionSeconds.observe({ chain: note.chain }, seconds(note.seconds));
}

/** One piece of a worker's duty that ended. */
export function observeJob(note: { duty: string; outcome: "done" | "failed"; seconds: number }): void {
  const { jobs, jobSeconds } = metrics();
  jobs.inc({ duty: note.duty, outcome: note.outcome });
  jobSeconds.observe({ duty: note.duty }, seconds(note.seconds));
}

/** A statement was refused because its transaction had ended: always a defect. */
export function observeLateStatement(): void {
  metrics().lateStatements.inc();
}

/** `units`: a plain decimal in units of the currency (`12.5`). A gauge is for eyes and alarms: it may round, money never reads it. */
export function setTreasuryBalance(note: { chain: string; wallet: string; currency: string; units: string }): void {
  const value = Number(note.units);
  if (!Number.isFinite(value)) return;
  metrics().treasuryBalance.set({ chain: note.chain, wallet: note.wallet, currency: note.currency }, value);
}

/** A node answered just now. `node`: a short name or the URL's host, never a URL with a key in it. `lagSeconds`: the age of its newest block. */
export function setChainHead(note: { chain: string; node: string; height: number; lagSeconds: number }): void {
  const labels = { chain: note.chain, node: note.node };
  const { chainHeadHeight, chainHeadLag, chainHeadSeen } = metrics();
  chainHeadHeight.set(labels, note.height);
  chainHeadLag.set(labels, seconds(note.lagSeconds));
  chainHeadSeen.set(labels, Date.now() / 1_000);
}

/** The last reconciliation's findings. Rules without findings are dropped. */
export function setReconciliation(note: { finishedAt: Date; findings: readonly { rule: string }[] }): void {
  const { reconciliationDifferences, reconciledAt } = metrics();
  reconciliationDifferences.reset();
  reconciliationDifferences.set({ rule: "all" }, note.findings.length);
  for (const [rule, found] of Map.groupBy(note.findings, (finding) => finding.rule)) reconciliationDifferences.set({ rule }, found.length);
  reconciledAt.set(note.finishedAt.getTime() / 1_000);
}

/** When the newest attestation that is in the folder was made, in business time. */
export function setAttested(at: Date): void {
  metrics().attestedAt.set(at.getTime() / 1_000);
}

/** What is promised at a rate, of every pair with open quotes. */
export function setExposures(exposures: readonly Exposure[]): void {
  const { openQuotes, openQuotesLoss } = metrics();
  for (const gauge of [openQuotes, openQuotesLoss]) gauge.reset();
  for (const { pair, currency, openMinor, lossAtto } of exposures) {
    openQuotes.set({ pair }, Number(fiatAmount(openMinor, currency)));
    openQuotesLoss.set({ pair }, Number(fromAtto(lossAtto)));
  }
}

/** What fiat providers said last that they hold, next to the pools. */
export function setProviderBalances(balances: readonly ProviderBalance[], now: Date): void {
  const { providerDifference, providerBalanceAge } = metrics();
  for (const gauge of [providerDifference, providerBalanceAge]) gauge.reset();
  for (const { currency, differenceMinor, answeredAt, askedAt } of balances) {
    if (differenceMinor !== null) providerDifference.set({ currency }, Number(fiatAmount(differenceMinor, currency)));
    providerBalanceAge.set({ currency }, seconds((now.getTime() - (answeredAt ?? askedAt).getTime()) / 1_000));
  }
}

/** The same functions as a power for services. */
export const meter: Meter = {
  transferMoved: observeTransfer,
  settlementExecuted: observeExecution,
  treasuryBalance: setTreasuryBalance,
  chainHead: setChainHead,
};

/** Clocks of two machines may differ slightly: a negative duration counts as zero. */
function seconds(value: number): number {
  return Number.isFinite(value) && value > 0 ? value : 0;
}
