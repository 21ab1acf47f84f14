/**
 * The dashboards for Grafana: what each panel is called, asks and is measured in. Run as a program, it writes them to `ops/grafana`, a panel
 * on each line. `npm run check` compares.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Unit, and then each curve: its legend, and what it asks of Prometheus. */
type Panel = {
  title: string;
  unit: string;
  curves: readonly (readonly [legend: string, expr: string])[];
  note?: string;
  stat?: true;
  signed?: true;
};
type Board = { name: string; rows: readonly (readonly [title: string, panels: readonly Panel[]])[] };

const rate = (metric: string) => `rate(${metric}[$__rate_interval])`;
const quantile = (share: number, metric: string, by = "le") => `histogram_quantile(${share}, sum by (${by}) (${rate(metric)}))`;
const quantiles = (metric: string, ...percents: readonly number[]) =>
  percents.map((percent) => [`p${percent}`, quantile(percent / 100, metric)] as const);
const missed = (title: string, objective: string, allowed: string): Panel => ({
  title,
  unit: "percentunit",
  note: `Objective: at most ${allowed} % over 30 days.`,
  curves: [
    ["of the last hour", `settlement:${objective}_missed:ratio_rate1h`],
    ["of the last three days", `settlement:${objective}_missed:ratio_rate3d`],
  ],
});
const stat = (title: string, legend: string, expr: string): Panel => ({ title, unit: "short", curves: [[legend, expr]], stat: true });
const plot = (title: string, unit: string, legend: string, expr: string): Panel => ({ title, unit, curves: [[legend, expr]] });

const BOARDS: readonly Board[] = [
  {
    name: "service",
    rows: [
      [
        "Objectives",
        [
          missed("Quotes over 250 ms", "quote", "1"),
          missed("Requests answered 5xx", "answer", "0.1"),
          missed("Executed after 5 minutes", "execution", "1"),
          missed("Callbacks begun over 5 s late", "callback", "1"),
        ],
      ],
      [
        "Requests",
        [
          plot("Requests", "reqps", "{{surface}}", `sum by (surface) (${rate("settlement_requests_total")})`),
          {
            title: "Quote: time to the answer",
            unit: "s",
            curves: quantiles(`settlement_request_duration_seconds_bucket{operation="create_settlement"}`, 50, 90, 99),
          },
          {
            title: "Confirm: time to the answer",
            unit: "s",
            curves: quantiles(`settlement_request_duration_seconds_bucket{operation=~"confirm_.*settlement"}`, 50, 90, 99),
          },
          plot("Refusals", "reqps", "{{outcome}}", `sum by (outcome) (${rate('settlement_requests_total{outcome!="ok"}')})`),
          plot("Answers by status", "reqps", "{{status}}", `sum by (status) (${rate("settlement_requests_total")})`),
        ],
      ],
      [
        "Callbacks",
        [
          plot("Attempts by outcome", "cps", "{{outcome}}", `sum by (outcome) (${rate("settlement_callback_attempts_total")})`),
          { title: "Begun late by", unit: "s", curves: quantiles("settlement_callback_lateness_seconds_bucket", 50, 99) },
          { title: "Receivers take", unit: "s", curves: quantiles("settlement_callback_attempt_duration_seconds_bucket", 50, 99) },
          plot("Given up", "short", "undelivered", "max(settlement_callbacks_undelivered)"),
          plot("Due work: age of the oldest", "s", "{{table}}", "max by (table) (settlement_due_work_age_seconds)"),
        ],
      ],
    ],
  },
  {
    name: "money",
    rows: [
      [
        "What waits for people",
        [
          stat("Approvals", "pending", "max(settlement_approvals_pending)"),
          stat("Held", "held", "max(settlement_payments_held)"),
          stat("Need review", "review", `max(settlement_transfers{state="needs_review"})`),
          stat("Ambiguous fiat orders", "ambiguous", "max(settlement_fiat_orders_ambiguous)"),
          stat("Lanes halted", "halted", "sum(max by (kind, cause) (settlement_lanes_halted)) or vector(0)"),
          stat("Differences found", "differences", `max(settlement_reconciliation_differences{rule="all"})`),
        ],
      ],
      [
        "Payments",
        [
          {
            title: "Confirmed until executed",
            unit: "s",
            curves: [
              ["{{chain}} p50", quantile(0.5, "settlement_execution_seconds_bucket", "le, chain")],
              ["{{chain}} p99", quantile(0.99, "settlement_execution_seconds_bucket", "le, chain")],
            ],
          },
          plot("Executed", "cps", "{{chain}}", `sum by (chain) (${rate("settlement_execution_seconds_count")})`),
          plot("Moves of transfers", "cps", "{{from}} to {{to}}", `sum by (from, to) (${rate("settlement_transfer_moves_total")})`),
          plot("Open transfers", "short", "{{state}}", "max by (state) (settlement_transfers)"),
          plot("Transfers that cannot move on", "short", "{{chain}}", "max by (chain) (settlement_transfers_waiting)"),
        ],
      ],
      [
        "Treasury and rates",
        [
          plot("Treasury", "short", "{{currency}} {{chain}} {{wallet}}", "max by (chain, wallet, currency) (settlement_treasury_balance)"),
          plot("Age of rates", "s", "{{pair}}", "max by (pair) (settlement_rate_age_seconds)"),
          plot("Pairs that can be quoted", "short", "{{pair}}", "max by (pair) (settlement_rate_fresh)"),
          plot("Differences by rule", "short", "{{rule}}", "max by (rule) (settlement_reconciliation_differences)"),
          plot("Since the last reconciliation", "s", "ago", "time() - max(settlement_reconciliation_timestamp_seconds)"),
        ],
      ],
    ],
  },
  {
    name: "machines",
    rows: [
      [
        "Processes",
        [
          plot("Running", "short", "{{process}}", "max by (process) (settlement_process_up)"),
          plot("CPU", "percentunit", "{{process}} {{instance}}", `sum by (instance, process) (${rate("process_cpu_seconds_total")})`),
          plot("Memory", "bytes", "{{process}} {{instance}}", "max by (instance, process) (process_resident_memory_bytes)"),
          plot("Event loop, p99", "s", "{{process}} {{instance}}", "max by (instance, process) (nodejs_eventloop_lag_p99_seconds)"),
          plot(
            "Garbage collection",
            "percentunit",
            "{{process}} {{instance}}",
            `sum by (instance, process) (${rate("nodejs_gc_duration_seconds_sum")})`,
          ),
          plot("Open files", "short", "{{process}} {{instance}}", "max by (instance, process) (process_open_fds)"),
        ],
      ],
      [
        "The worker's duties",
        [
          plot("Rounds", "cps", "{{duty}}", `sum by (duty) (${rate("settlement_jobs_total")})`),
          plot("Failed", "cps", "{{duty}}", `sum by (duty) (${rate('settlement_jobs_total{outcome="failed"}')})`),
          plot("Time of a round, p99", "s", "{{duty}}", quantile(0.99, "settlement_job_duration_seconds_bucket", "le, duty")),
        ],
      ],
      [
        "Database and nodes",
        [
          {
            title: "Database",
            unit: "short",
            curves: [
              ["answers", "max(settlement_database_up)"],
              ["commits wait for a standby", "max(settlement_database_synchronous)"],
            ],
          },
          plot("Due work", "short", "{{table}}", "max by (table) (settlement_due_work)"),
          {
            title: "Nodes: newest block",
            unit: "s",
            curves: [["{{chain}} {{node}}", "max by (chain, node) (settlement_chain_head_lag_seconds)"]],
            note: "How old it was when the node was last asked.",
          },
          plot(
            "Nodes: last answer",
            "s",
            "{{chain}} {{node}}",
            "time() - max by (chain, node) (settlement_chain_head_seen_timestamp_seconds)",
          ),
          {
            title: "Height",
            unit: "short",
            curves: [["{{chain}} {{node}}", "max by (chain, node) (settlement_chain_head_height)"]],
            signed: true,
          },
        ],
      ],
    ],
  },
];

// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana puts the chosen data source here
const DATASOURCE = { type: "prometheus", uid: "${datasource}" };
const PLOTTED = { options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi" } } };
const [WIDTH, HEIGHT, MOST_IN_A_LINE] = [24, 8, 3];

/** How many panels each line of a row gets: small figures all in one, curves three at most, and two where that leaves none alone. */
function widthsOf(panels: readonly Panel[]): number[] {
  if (panels.every(({ stat }) => stat) || panels.length === 4) return panels.map(() => WIDTH / panels.length);
  const full = panels.length - (panels.length % MOST_IN_A_LINE);
  return panels.map((_, place) => WIDTH / (place < full ? MOST_IN_A_LINE : panels.length - full));
}

function boardOf({ name, rows }: Board): object {
  const panels: { id: number }[] = [];
  const add = (panel: object) => panels.push({ id: panels.length + 1, ...panel });
  let y = 0;
  for (const [title, all] of rows) {
    add({ type: "row", title, collapsed: false, gridPos: { x: 0, y, w: WIDTH, h: 1 }, panels: [] });
    y += 1;
    let x = 0;
    for (const [place, panel] of all.entries()) {
      const w = widthsOf(all)[place] ?? WIDTH;
      add(panelOf(panel, { x, y, w, h: HEIGHT }));
      x = (x + w) % WIDTH;
      if (x === 0) y += HEIGHT;
    }
  }
  return {
    uid: `settlement-${name}`,
    title: `Settlement: ${name}`,
    tags: ["settlement"],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    timezone: "utc",
    templating: { list: [{ name: "datasource", type: "datasource", query: "prometheus", label: "Prometheus", current: {} }] },
    annotations: { list: [] },
    links: [],
    panels,
  };
}

function panelOf({ title, unit, curves, note, stat: isStat, signed }: Panel, gridPos: object): object {
  return {
    type: isStat ? "stat" : "timeseries",
    title,
    ...(note === undefined ? {} : { description: note }),
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: { defaults: signed ? { unit } : { unit, min: 0 }, overrides: [] },
    ...(isStat ? {} : PLOTTED),
    targets: curves.map(([legendFormat, expr], place) => ({ refId: "ABC"[place], datasource: DATASOURCE, expr, legendFormat })),
  };
}

for (const board of BOARDS) {
  const text = `${JSON.stringify(boardOf(board)).replaceAll(/(?<=[[}],?)(?=\{"id":)/g, "\n")}\n`;
  const path = fileURLToPath(new URL(`../ops/grafana/${board.name}.json`, import.meta.url));
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) {
    process.stdout.write(`ops/grafana/${board.name}.json is out of step: run node scripts/dashboards.ts\n`);
    process.exitCode = 1;
  }
}
