import { randomUUID } from "node:crypto";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

declare global {
  /** The front door and the bundle that Next builds are two copies of this module in one process: they share one registry here. */
  var settlementMetrics: Metrics | undefined;
}

export type Metrics = ReturnType<typeof defineMetrics>;

/** The one set of figures of this process, and the name under which others get to see them. */
export function metrics(): Metrics {
  globalThis.settlementMetrics ??= defineMetrics();
  return globalThis.settlementMetrics;
}

/** Adds the runtime's own figures (memory, CPU, event loop, garbage collection), labelled by the kind of process. Call it once. */
export function observeRuntime(kind: "web" | "worker"): void {
  const { registry } = metrics();
  if (registry.getSingleMetric("process_cpu_seconds_total")) return;
  collectDefaultMetrics({ register: registry, labels: { process: kind } });
}

/** Shows which version this process is of: an upgrade is over when only one is left. */
export function observeVersion(kind: "web" | "worker", version: string): void {
  metrics().versions.set({ process: kind, version }, 1);
}

/** Names that are read back from another process's snapshot. */
export const METRIC_NAMES = {
  chainHeadHeight: "settlement_chain_head_height",
  chainHeadLag: "settlement_chain_head_lag_seconds",
  chainHeadSeen: "settlement_chain_head_seen_timestamp_seconds",
} as const;

const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ATTEMPT_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];
const EXECUTION_BUCKETS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 900, 3_600, 14_400, 86_400];
const LATENESS_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 1_800];

function defineMetrics() {
  const registry = new Registry();
  const versions = new Gauge({
    name: "settlement_build_info",
    help: "How many processes there are of each kind and version.",
    labelNames: ["process", "version"],
    registers: [registry],
  });
  return { id: randomUUID(), registry, versions, ...defineEvents([registry]), ...defineLevels([registry]), ...defineBooks([registry]) };
}

/** What happened, counted at the doors. */
function defineEvents(registers: Registry[]) {
  return {
    requests: new Counter({
      name: "settlement_requests_total",
      help: "Requests answered, by surface, operation, HTTP status and outcome (`ok` or the refusal's code).",
      labelNames: ["surface", "operation", "status", "outcome"],
      registers,
    }),
    requestSeconds: new Histogram({
      name: "settlement_request_duration_seconds",
      help: "Time from the request's arrival to its answer.",
      labelNames: ["surface", "operation"],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    callbackAttempts: new Counter({
      name: "settlement_callback_attempts_total",
      help: "Callback attempts that ended, by outcome (`delivered` or the kind of trouble).",
      labelNames: ["outcome"],
      registers,
    }),
    callbackSeconds: new Histogram({
      name: "settlement_callback_attempt_duration_seconds",
      help: "How long a callback attempt took.",
      buckets: ATTEMPT_BUCKETS,
      registers,
    }),
    callbackLateness: new Histogram({
      name: "settlement_callback_lateness_seconds",
      help: "How long after it was due a callback attempt began, but for those that their own receiver held back.",
      buckets: LATENESS_BUCKETS,
      registers,
    }),
    transferMoves: new Counter({
      name: "settlement_transfer_moves_total",
      help: "Transfers that went from one state to another.",
      labelNames: ["chain", "from", "to"],
      registers,
    }),
    executionSeconds: new Histogram({
      name: "settlement_execution_seconds",
      help: "Time from a settlement's confirmation until its payment was final on the chain; what waited for people or money counts too.",
      labelNames: ["chain"],
      buckets: EXECUTION_BUCKETS,
      registers,
    }),
    lateStatements: new Counter({
      name: "settlement_late_statements_total",
      help: "Statements that were not sent because their transaction had ended: each is a defect of the service.",
      registers,
    }),
    jobs: new Counter({
      name: "settlement_jobs_total",
      help: "Pieces of the worker's work that ended, by duty and outcome.",
      labelNames: ["duty", "outcome"],
      registers,
    }),
    jobSeconds: new Histogram({
      name: "settlement_job_duration_seconds",
      help: "How long a piece of the worker's work took.",
      labelNames: ["duty"],
      buckets: ATTEMPT_BUCKETS,
      registers,
    }),
  };
}

/** What the books say: the newest attestation, and what is promised at a rate. */
function defineBooks(registers: Registry[]) {
  return {
    attestedAt: new Gauge({
      name: "settlement_attestation_timestamp_seconds",
      help: "When the newest daily attestation in the folder was made, in business time.",
      aggregator: "max",
      registers,
    }),
    openQuotes: new Gauge({
      name: "settlement_open_quotes_units",
      help: "What is promised at a rate and not paid, in the source currency, by pair.",
      labelNames: ["pair"],
      aggregator: "first",
      registers,
    }),
    providerDifference: new Gauge({
      name: "settlement_provider_balance_difference",
      help: "How far what the fiat providers hold is from the pool, in units of the currency; below zero: money is missing there.",
      labelNames: ["currency"],
      aggregator: "first",
      registers,
    }),
    providerBalanceAge: new Gauge({
      name: "settlement_provider_balance_age_seconds",
      help: "How long ago the fiat providers last said what they hold.",
      labelNames: ["currency"],
      aggregator: "first",
      registers,
    }),
    openQuotesLoss: new Gauge({
      name: "settlement_open_quotes_loss_units",
      help: "What open quotes cost more at the present rate than they were priced at, in the source currency, by pair.",
      labelNames: ["pair"],
      aggregator: "first",
      registers,
    }),
  };
}

/** The state at the worker's last reading. */
function defineLevels(registers: Registry[]) {
  return {
    treasuryBalance: new Gauge({
      name: "settlement_treasury_balance",
      help: "What a treasury wallet holds, in units of the currency.",
      labelNames: ["chain", "wallet", "currency"],
      aggregator: "first",
      registers,
    }),
    callbackReceivers: new Gauge({
      name: "settlement_callback_receivers",
      help: "Receivers of callbacks that were called in the last minutes, by whether most attempts were answered well.",
      labelNames: ["state"],
      aggregator: "sum",
      registers,
    }),
    callbackReceiverFailing: new Gauge({
      name: "settlement_callback_receiver_failing_seconds",
      help: "For how long a receiver has answered no attempt well, from the third failure on; the fifty longest.",
      labelNames: ["receiver"],
      aggregator: "max",
      registers,
    }),
    reconciliationDifferences: new Gauge({
      name: "settlement_reconciliation_differences",
      help: "Differences between ledger, records and chains that the last reconciliation found, by rule; `all` together.",
      labelNames: ["rule"],
      aggregator: "first",
      registers,
    }),
    reconciledAt: new Gauge({
      name: "settlement_reconciliation_timestamp_seconds",
      help: "When the last reconciliation was finished, in business time.",
      aggregator: "max",
      registers,
    }),
    chainHeadHeight: new Gauge({
      name: METRIC_NAMES.chainHeadHeight,
      help: "The newest block that a node reported.",
      labelNames: ["chain", "node"],
      aggregator: "max",
      registers,
    }),
    chainHeadLag: new Gauge({
      name: METRIC_NAMES.chainHeadLag,
      help: "How old the newest block of a node was when it was last asked.",
      labelNames: ["chain", "node"],
      aggregator: "first",
      registers,
    }),
    chainHeadSeen: new Gauge({
      name: METRIC_NAMES.chainHeadSeen,
      help: "When a node last answered.",
      labelNames: ["chain", "node"],
      aggregator: "max",
      registers,
    }),
  };
}
