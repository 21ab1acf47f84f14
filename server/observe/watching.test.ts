import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { REGISTRY } from "#server/rest/registry.ts";
import { renderMetrics } from "./exposition.ts";
import { observeRuntime } from "./metrics.ts";
import {
  meter,
  observeCallbackAttempt,
  observeJob,
  observeRequest,
  setAttested,
  setExposures,
  setProviderBalances,
  setReceivers,
  setReconciliation,
} from "./record.ts";

/** The monitoring files for operators, compared with what `/metrics` really returns. */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const RULES = join(ROOT, "ops", "prometheus");
const BOARDS = join(ROOT, "ops", "grafana");
const read = (...path: string[]) => readFileSync(join(...path), "utf8");
const promtool = (...args: string[]) => execFileSync("promtool", args, { cwd: RULES, encoding: "utf8", stdio: "pipe" });

type Rule = { alert: string | null; record: string | null; expr: string; block: string };
const rulesIn = (file: string): Rule[] =>
  read(RULES, file)
    .split(/^ {6}- (?=alert:|record:)/m)
    .slice(1)
    .map((block) => {
      const said = (key: string) => new RegExp(`^ *${key}: (.+)$`, "m").exec(block)?.[1] ?? null;
      return { alert: said("alert"), record: said("record"), expr: said("expr") ?? "", block };
    });
const RULE_FILES = ["alerts.yml", "objectives.yml"];
/** Rules on figures that are not the service's own: the operator's thresholds, other exporters. */
const OTHER_FILES = ["thresholds.yml", "surroundings.yml"];
const ALL_FILES = [...RULE_FILES, ...OTHER_FILES];
/** `alerts.test.yml`, and `alerts-days.test.yml` for what takes days. */
const casesOf = (file: string) =>
  readdirSync(RULES).filter((name) => name.endsWith(".test.yml") && name.startsWith(file.replace(".yml", "")));
const rules = RULE_FILES.flatMap(rulesIn);
const alerts = ALL_FILES.flatMap(rulesIn).filter(({ alert }) => alert !== null);
const recorded = new Set(rules.flatMap(({ record }) => record ?? []));

const Board = z.looseObject({
  uid: z.string(),
  title: z.string(),
  panels: z.array(
    z.looseObject({ title: z.string(), type: z.string(), targets: z.array(z.looseObject({ expr: z.string() })).default([]) }),
  ),
});
const boards = readdirSync(BOARDS).map((file) => ({ file, board: Board.parse(JSON.parse(read(BOARDS, file))) }));
const asked = [
  ...rules.map(({ alert, record, expr }) => ({ by: alert ?? record ?? "", expr })),
  ...boards.flatMap(({ file, board }) =>
    board.panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ by: `${file}: ${title}`, expr: expr.replaceAll("$__rate_interval", "5m") })),
    ),
  ),
];

/** Every metric with the labels of its samples, from a service in which everything has happened once. */
let known: Map<string, Set<string>>;
beforeAll(async () => {
  observeRuntime("worker");
  observeRequest({ surface: "settlement", operation: "create_settlement", status: 201, code: null, seconds: 0.01 });
  observeCallbackAttempt({ outcome: "delivered", latenessSeconds: 0.1, wasHeldBack: false, seconds: 0.1 });
  setReceivers({ answering: 1, failing: 1, failingSeconds: [{ receiver: "https://dead.example", seconds: 60 }] });
  observeJob({ duty: "rates", outcome: "done", seconds: 0.1 });
  setReconciliation({ finishedAt: new Date(), findings: [] });
  setAttested(new Date());
  const asked = { askedAt: new Date(), answeredAt: new Date(), differsSince: null, problem: null };
  setProviderBalances([{ currency: "KES", balanceMinor: 1n, differenceMinor: 0n, ...asked }], new Date());
  setExposures([{ pair: "KES/USDT", currency: "KES", quotes: 1, openMinor: 100n, lossAtto: 1n }]);
  meter.transferMoved({ chain: "eip155:1", from: "queued", to: "signed" });
  meter.settlementExecuted({ chain: "eip155:1", seconds: 12 });
  meter.treasuryBalance({ chain: "eip155:1", wallet: "0x01", currency: "USDT", units: "1" });
  meter.chainHead({ chain: "eip155:1", node: "n", height: 1, lagSeconds: 1 });
  const text = await renderMetrics({
    processes: [],
    backlogs: [{ table: "transfers", open: 1, oldestDueSeconds: 1 }],
    openTransfers: [],
    waitingTransfers: [{ chain: "eip155:1", kind: null, reason: "x", count: 1 }],
    undeliveredCallbacks: 0,
    pendingApprovals: 0,
    ambiguousOrders: 0,
    heldPayments: 0,
    rates: [{ pair: "KES/USDT", ageSeconds: 1, fresh: true, staleSeconds: null, partnerIds: null }],
    halts: [{ scope: { kind: "wallet", key: "x" }, cause: "operator", since: new Date() }],
    suspense: [
      { chain: "eip155:1", holder: "safe", direction: "out", currency: "USDT", decimals: 6, count: 1, amountBase: 5n, oldestSeconds: 7 },
    ],
    replication: { isSynchronous: true },
  });
  known = new Map([["up", new Set()]]);
  for (const [, name = "", kind] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const parts = kind === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
    // The runtime's own all have the kind of process as a label, including those without samples yet.
    const labels = /^(?:process|nodejs)_/.test(name) ? ["process"] : [];
    for (const part of parts) known.set(`${name}${part}`, new Set(labels));
  }
  for (const [, name = "", labels = ""] of text.matchAll(/^([a-z0-9_]+)\{(.*)\} /gm)) {
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.get(name)?.add(label);
  }
});

/** The metrics in an expression, with the labels that it selects by. */
function selected(expr: string): { name: string; labels: string[] }[] {
  const bare = expr.replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, "");
  return [...bare.matchAll(/\b(up|(?:settlement|process|nodejs)[_:][\w:]*)(?:\{([^}]*)\})?/g)].map(([, name = "", within = ""]) => ({
    name,
    labels: [...within.matchAll(/(\w+)\s*[=!]~?=?/g)].map(([, label = ""]) => label),
  }));
}

describe("rules and dashboards", () => {
  test("name metrics that there are, by labels that those have", () => {
    for (const { by, expr } of asked) {
      const found = selected(expr);
      expect(found.length, `${by} asks for nothing`).toBeGreaterThan(0);
      for (const { name, labels } of found) {
        if (name.includes(":")) expect(recorded, by).toContain(name);
        else {
          expect([...known.keys()], `${by}: ${name}`).toContain(name);
          // Prometheus adds its own labels.
          const own = labels.filter((label) => !["job", "instance"].includes(label));
          for (const label of own) expect([...(known.get(name) ?? [])], `${by}: ${name}`).toContain(label);
        }
      }
    }
  });

  test("group by labels that the metrics have", () => {
    for (const { by, expr } of asked) {
      const labels = [...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(",").map((label) => label.trim()));
      const had = new Set(["instance", "job", "le", ...selected(expr).flatMap(({ name }) => [...(known.get(name) ?? [])])]);
      for (const label of labels) expect([...had], by).toContain(label);
    }
  });

  test("name operations that there are", () => {
    const operations: string[] = Object.values(REGISTRY).flatMap(({ bindings }) => bindings.map(({ operation }) => operation.id));
    for (const { by, expr } of asked) {
      for (const [, pattern = ""] of expr.matchAll(/operation=~?"([^"]+)"/g))
        expect(
          operations.some((id) => new RegExp(`^(?:${pattern})$`).test(id)),
          `${by}: ${pattern}`,
        ).toBe(true);
    }
  });

  test("ask what Prometheus understands", () => {
    const folder = mkdtempSync(join(tmpdir(), "settlement-rules-"));
    const lines = asked.map(({ expr }, index) => `      - record: asked:${index}\n        expr: ${JSON.stringify(expr)}`);
    writeFileSync(join(folder, "asked.yml"), `groups:\n  - name: asked\n    rules:\n${lines.join("\n")}\n`);
    expect(promtool("check", "rules", join(folder, "asked.yml"))).toContain(`${asked.length} rules found`);
    rmSync(folder, { recursive: true });
  });
});

describe("every alert", () => {
  test("says what is wrong, how urgent it is, and which runbook helps", () => {
    expect(alerts.length).toBeGreaterThan(20);
    for (const { alert, block } of alerts) {
      expect(block, alert ?? "").toMatch(/^ {10}severity: (page|ticket)$/m);
      expect(block, alert ?? "").toMatch(/^ {10}summary: '.{10,}'$/m);
      const runbook = /^ {10}runbook: (docs\/runbooks\/[a-z-]+\.md)$/m.exec(block)?.[1];
      expect(runbook, alert ?? "").toBeDefined();
      expect(existsSync(join(ROOT, runbook ?? "")), `${alert}: ${runbook}`).toBe(true);
    }
  });

  test("has a case in which it fires", () => {
    for (const file of ALL_FILES) {
      const cases = casesOf(file).flatMap((name) => read(RULES, name).split(/^ {2}- name: /m));
      for (const { alert, block } of rulesIn(file).filter((rule) => rule.alert !== null)) {
        const severity = /severity: (\w+)/.exec(block)?.[1];
        const firing = cases.filter((one) => one.includes(`alertname: ${alert}\n`) && one.includes(`severity: '${severity}'`));
        expect(firing.length, `${alert} (${severity})`).toBeGreaterThan(0);
      }
    }
  });

  test.each(ALL_FILES)("of %s fires then, and not before", (file) => {
    expect(promtool("check", "rules", file)).toContain("SUCCESS");
    const cases = casesOf(file);
    expect(cases).not.toEqual([]);
    expect(promtool("test", "rules", ...cases)).toContain("SUCCESS");
  });
});

test("the dashboards are three, each of its own name", () => {
  expect(boards.map(({ file }) => file).toSorted()).toEqual(["machines.json", "money.json", "service.json"]);
  expect(new Set(boards.map(({ board }) => board.uid)).size).toBe(3);
  for (const { file, board } of boards) expect(board.panels.filter(({ type }) => type !== "row").length, file).toBeGreaterThan(8);
});
