import { AggregatorRegistry, Gauge, Registry } from "prom-client";
import { exactText } from "#domain/money.ts";
import type { ScreeningTrouble } from "#domain/screening.ts";
import { HOLDERS, LINE_DIRECTIONS } from "#domain/suspense-line.ts";
import { TRANSFER_STATES } from "#domain/transfer.ts";
import { isAlive, type ProcessVitals, type Vitals } from "#domain/vitals.ts";
import { metrics } from "./metrics.ts";
import { type MetricSnapshot, parseSnapshot, takeSnapshot } from "./snapshot.ts";

export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/**
 * All figures in Prometheus' text form: this process's own, those that other running ones left in the database, and what is
 * read off the database itself. `vitals` null: the database does not answer, and the text says so.
 */
export async function renderMetrics(
  vitals: Vitals | null,
  replica: ReplicaFigures | null = null,
  screening: readonly ScreeningTrouble[] = [],
): Promise<string> {
  const own = parseSnapshot(await takeSnapshot());
  const others = othersAlive(vitals).map((process) => parseSnapshot(process.metrics));
  const gauges = parseSnapshot(await gaugesOf(vitals, replica, screening).getMetricsAsJSON());
  // The newest snapshot comes first, so that of two workers' balances the newer one counts.
  return await AggregatorRegistry.aggregate([...others, own, gauges].map(agreed(own))).metrics();
}

/** The replica's state; null: there is none. */
type ReplicaFigures = { lagSeconds: number | null; isRead: boolean };

/** Every snapshot adds up as this release says, whatever an older process wrote. */
function agreed(own: readonly MetricSnapshot[]): (snapshot: MetricSnapshot[]) => MetricSnapshot[] {
  const rules = new Map(own.map((metric) => [metric.name, metric.aggregator]));
  return (snapshot) => snapshot.map((metric) => ({ ...metric, aggregator: rules.get(metric.name) ?? metric.aggregator }));
}

/** Workers, and the web processes that share a port with others. */
function othersAlive(vitals: Vitals | null): ProcessVitals[] {
  return (vitals?.processes ?? []).filter((process) => isAlive(process) && process.id !== metrics().id);
}

const OPEN_STATES = TRANSFER_STATES.filter((state) => state !== "executed" && state !== "failed");

function gaugesOf(vitals: Vitals | null, replica: ReplicaFigures | null, screening: readonly ScreeningTrouble[]): Registry {
  const registry = new Registry();
  const gauge: MakeGauge = (name, help, labelNames) => new Gauge({ name, help, labelNames, registers: [registry] });
  gauge("settlement_database_up", "Whether the database answered.", []).set(vitals === null ? 0 : 1);
  if (replica !== null) {
    const read = "Whether the console's lists are read from the replica: 0 means that the database itself is asked.";
    gauge("settlement_database_replica_read", read, []).set(replica.isRead ? 1 : 0);
    const lag = gauge("settlement_database_replica_lag_seconds", "How far behind the replica is; nothing while nobody knows.", []);
    if (replica.lagSeconds !== null) lag.set(replica.lagSeconds);
    else lag.remove();
  }
  const silent = gauge("settlement_screening_troubles", "Screening sources that do not answer, by kind; payments wait for them.", [
    "source",
  ]);
  for (const source of ["oracle", "issuer", "list"]) silent.set({ source }, screening.filter(({ kind }) => kind === source).length);
  const up = gauge("settlement_process_up", "How many processes of the kind are running.", ["process"]);
  up.set({ process: "web" }, 1);
  if (vitals === null) return registry;

  up.set({ process: "worker" }, 0);
  for (const { kind } of othersAlive(vitals)) up.inc({ process: kind });
  const transfers = gauge("settlement_transfers", "Transfers that are not final, by state.", ["state"]);
  for (const state of OPEN_STATES) transfers.set({ state }, vitals.openTransfers.find((open) => open.state === state)?.count ?? 0);
  const waiting = gauge("settlement_transfers_waiting", "Transfers that cannot move on just now (an empty treasury, a dead node).", [
    "chain",
  ]);
  for (const { chain, count } of vitals.waitingTransfers) waiting.inc({ chain }, count);
  const open = gauge("settlement_due_work", "Rows of work that are due or will be.", ["table"]);
  const late = gauge("settlement_due_work_age_seconds", "How long the oldest due row has been waiting for somebody to take it up.", [
    "table",
  ]);
  for (const backlog of vitals.backlogs) {
    open.set({ table: backlog.table }, backlog.open);
    late.set({ table: backlog.table }, backlog.oldestDueSeconds ?? 0);
  }
  gauge("settlement_callbacks_undelivered", "Callbacks whose six attempts failed.", []).set(vitals.undeliveredCallbacks);
  gauge("settlement_approvals_pending", "Settlements that await an admin's decision.", []).set(vitals.pendingApprovals);
  gauge("settlement_payments_held", "Payments that a check holds until an administrator releases or refuses them.", []).set(
    vitals.heldPayments,
  );
  gauge(
    "settlement_fiat_orders_ambiguous",
    "Withdrawals and top-ups that the provider may or may not have, and top-ups paid after they expired.",
    [],
  ).set(vitals.ambiguousOrders);
  const halts = gauge("settlement_lanes_halted", "Lanes that stand until two people lift that, by kind and cause.", ["kind", "cause"]);
  for (const { scope, cause } of vitals.halts) halts.inc({ kind: scope.kind, cause });
  addSuspense(gauge, vitals);
  gauge("settlement_database_synchronous", "Whether commits wait for a standby: 0 means that a failover may lose the last ones.", []).set(
    vitals.replication.isSynchronous ? 1 : 0,
  );
  const age = gauge("settlement_rate_age_seconds", "How old the mid rate of an enabled pair is; a fixed rate does not age.", ["pair"]);
  const fresh = gauge("settlement_rate_fresh", "Whether an enabled pair can be quoted: 0 without a rate, or with one that is too old.", [
    "pair",
  ]);
  for (const rate of vitals.rates) {
    if (rate.ageSeconds !== null) age.set({ pair: rate.pair }, rate.ageSeconds);
    fresh.set({ pair: rate.pair }, rate.fresh ? 1 : 0);
  }
  return registry;
}

type MakeGauge = <Label extends string>(name: string, help: string, labelNames: Label[]) => Gauge<Label>;

/** Unexplained movements on the chains. A kind without any is 0, so that an alert ends. */
function addSuspense(gauge: MakeGauge, { suspense }: Vitals): void {
  const lines = gauge("settlement_suspense_lines", "Movements of wallets and Safes that nothing explains, by holder and direction.", [
    "holder",
    "direction",
  ]);
  const oldest = gauge("settlement_suspense_oldest_seconds", "For how long the oldest such movement has been unexplained.", [
    "holder",
    "direction",
  ]);
  const units = gauge("settlement_suspense_units", "How much of a token such movements are, in its units.", [
    "chain",
    "holder",
    "direction",
    "currency",
  ]);
  for (const holder of HOLDERS)
    for (const direction of LINE_DIRECTIONS) {
      const same = suspense.filter((sum) => sum.holder === holder && sum.direction === direction);
      lines.set(
        { holder, direction },
        same.reduce((total, { count }) => total + count, 0),
      );
      oldest.set({ holder, direction }, Math.max(0, ...same.map(({ oldestSeconds }) => oldestSeconds)));
    }
  for (const { chain, holder, direction, currency, decimals, amountBase } of suspense)
    units.set({ chain, holder, direction, currency }, Number(exactText(amountBase, decimals)));
}
