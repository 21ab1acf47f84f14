import { haltReason, isHaltReason, type LaneHalt } from "./lane.ts";
import { type ScreeningState, tellScreening } from "./screening.ts";

/** How the service is doing, as the database knows it. Ages are seconds; those of processes and rates real, those of due work business time. */
export type Vitals = {
  /** The latest heard first. */
  processes: readonly ProcessVitals[];
  backlogs: readonly Backlog[];
  openTransfers: readonly { state: string; count: number }[];
  waitingTransfers: readonly { chain: string; reason: string; count: number }[];
  undeliveredCallbacks: number;
  pendingApprovals: number;
  /** Fiat orders of which nobody can tell whether the provider has them. */
  ambiguousOrders: number;
  /** What people have to release or refuse before it is paid. */
  heldPayments: number;
  rates: readonly RateAge[];
  /** Every lane that stands. */
  halts: readonly Pick<LaneHalt, "lane" | "cause" | "since">[];
  /** Whether a commit that was told is in two places by then, so that a failover loses none. */
  replication: Replication;
};
export type Replication = { isSynchronous: boolean };
export type ProcessVitals = { id: string; kind: string; startedAt: Date; beatAgeSeconds: number; metrics: readonly unknown[] };
export type Backlog = {
  table: "transfers" | "callbacks" | "withdrawals" | "topups";
  /** Rows that are due, or will be. */
  open: number;
  /** How long the oldest due row that nobody works on has been due; null: nothing is. */
  oldestDueSeconds: number | null;
};
export type RateAge = { pair: string; ageSeconds: number; fresh: boolean };

/** What a node last told a worker. */
export type ChainHead = {
  chain: string;
  node: string;
  height: number /** The age of its newest block when it was asked. */;
  lagSeconds: number;
  askedSecondsAgo: number;
};

/** A worker says so every few seconds; one that was not heard of for longer than `ALIVE_SECONDS` counts as down. */
export const BEAT_EVERY_SECONDS = 3;
export const ALIVE_SECONDS = 15;
/** Due work is taken up within two seconds where all is well. */
const OVERDUE_SECONDS = 60;
const HEAD_ASKED_SECONDS = 60;
const HEAD_LAG_SECONDS = 180;

export type Check = {
  name: string;
  ok: boolean;
  detail: string;
  /** How long what is amiss has been so, where that is known. */
  forSeconds?: number;
};

/** How long silence is borne before a part counts as failing. */
export type Patience = { aliveSeconds: number; headAskedSeconds: number };
const READY_PATIENCE: Patience = { aliveSeconds: ALIVE_SECONDS, headAskedSeconds: HEAD_ASKED_SECONDS };
/** People are told sooner than machines act: two missed heartbeats. */
export const WATCH_PATIENCE: Patience = { aliveSeconds: 7, headAskedSeconds: 15 };

export function isAlive(process: ProcessVitals): boolean {
  return process.beatAgeSeconds <= ALIVE_SECONDS;
}

/** Whether the whole service can do its main job, part by part. `chains`: those it is configured to pay on. */
export function judgeReadiness(
  vitals: Vitals,
  heads: readonly ChainHead[],
  chains: readonly string[],
  patience: Patience = READY_PATIENCE,
): Check[] {
  return [
    judgeWorker(vitals.processes, patience),
    ...vitals.backlogs.map(judgeBacklog),
    judgeWaiting(vitals.waitingTransfers.filter(({ reason }) => !isHaltReason(reason))),
    tellHalts(vitals.halts),
    tellHolds(vitals.heldPayments),
    ...chains.map((chain) =>
      judgeChain(
        chain,
        heads.filter((head) => head.chain === chain),
        patience,
      ),
    ),
    judgeRates(vitals.rates),
  ];
}

function judgeWorker(processes: readonly ProcessVitals[], { aliveSeconds }: Patience): Check {
  const workers = processes.filter((process) => process.kind === "worker");
  const alive = workers.filter(({ beatAgeSeconds }) => beatAgeSeconds <= aliveSeconds);
  const last = workers[0];
  if (alive.length > 0)
    return { name: "worker", ok: true, detail: `${alive.length} running, last heartbeat ${seconds(last?.beatAgeSeconds ?? 0)} ago` };
  return {
    name: "worker",
    ok: false,
    detail: last ? `last heartbeat ${seconds(last.beatAgeSeconds)} ago` : "no worker was heard of within the hour",
    ...(last && { forSeconds: last.beatAgeSeconds }),
  };
}

function judgeBacklog({ table, open, oldestDueSeconds }: Backlog): Check {
  if (oldestDueSeconds === null) return { name: table, ok: true, detail: `${open} open, none overdue` };
  const detail = `${open} open, the oldest due for ${seconds(oldestDueSeconds)}`;
  return oldestDueSeconds <= OVERDUE_SECONDS
    ? { name: table, ok: true, detail }
    : { name: table, ok: false, detail, forSeconds: oldestDueSeconds };
}

function judgeWaiting(waiting: Vitals["waitingTransfers"]): Check {
  if (waiting.length === 0) return { name: "payments", ok: true, detail: "no transfer waits" };
  const detail = waiting.map(({ chain, reason, count }) => `${count} on ${chain}: ${reason}`).join("; ");
  return { name: "payments", ok: false, detail: `transfers wait: ${detail}` };
}

/** A halt is an answer, not a fault of a part: people have to look, and whatever it does not concern goes on. */
function tellHalts(halts: Vitals["halts"]): Check {
  const told = halts.map((halt) => `${halt.lane.kind} ${halt.lane.key} since ${halt.since.toISOString()}: ${haltReason(halt)}`);
  return { name: "halts", ok: true, detail: told.length === 0 ? "no lane stands" : told.join("; ") };
}

/** So is a hold: one recipient that a list names does not make the service unready. */
function tellHolds(held: number): Check {
  return {
    name: "holds",
    ok: true,
    detail: held === 0 ? "no payment is held" : `${held} held until an admin decides, or somebody answers`,
  };
}

/** Only told, too: it is the database's operator who can change it. Not asked in the sandbox. */
export function tellReplication({ isSynchronous }: Replication): Check {
  const detail = isSynchronous
    ? "commits are replicated synchronously"
    : "commits are not replicated synchronously: a failover may lose the last ones, and wallets halt when it does";
  return { name: "replication", ok: true, detail };
}

/** Only told as well: a payment that cannot be screened waits, and whatever it does not concern goes on. */
export function tellScreened(state: ScreeningState): Check {
  return { name: "screening", ok: true, detail: tellScreening(state) };
}

function judgeChain(chain: string, heads: readonly ChainHead[], { headAskedSeconds }: Patience): Check {
  const name = `chain ${chain}`;
  const asked = heads.filter((head) => head.askedSecondsAgo <= headAskedSeconds);
  if (heads.length === 0) return { name, ok: false, detail: "no node has answered a running worker" };
  if (asked.length === 0) {
    const forSeconds = Math.min(...heads.map((head) => head.askedSecondsAgo));
    return { name, ok: false, detail: `no node has answered for ${seconds(forSeconds)}`, forSeconds };
  }
  const best = asked.reduce((left, right) => (right.height > left.height ? right : left));
  const detail = `${asked.length} of ${heads.length} nodes answer, head ${best.height}, ${seconds(best.lagSeconds)} old`;
  return best.lagSeconds <= HEAD_LAG_SECONDS
    ? { name, ok: true, detail }
    : { name, ok: false, detail, forSeconds: best.lagSeconds + best.askedSecondsAgo };
}

function judgeRates(rates: readonly RateAge[]): Check {
  const stale = rates.filter((rate) => !rate.fresh);
  if (rates.length === 0) return { name: "rates", ok: false, detail: "there is no rate at all" };
  if (stale.length > 0) return { name: "rates", ok: false, detail: `too old to quote from: ${stale.map((rate) => rate.pair).join(", ")}` };
  return {
    name: "rates",
    ok: true,
    detail: `${rates.length} pairs, the oldest rate ${seconds(Math.max(...rates.map((rate) => rate.ageSeconds)))} old`,
  };
}

function seconds(value: number): string {
  return value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`;
}
