import { haltReason, isHaltReason, type ScopeHalt } from "./halt-scope.ts";
import { describeScreening, type ScreeningState } from "./screening.ts";
import type { SuspenseSum } from "./suspense-line.ts";
import type { WaitingKind } from "./transfer.ts";

/** How the service is doing, as the database knows it. Ages are seconds; those of processes and rates real, those of due work business time. */
export type Vitals = {
  /** Latest heartbeat first. */
  processes: readonly ProcessVitals[];
  backlogs: readonly Backlog[];
  openTransfers: readonly { state: string; count: number }[];
  waitingTransfers: readonly WaitingTransfers[];
  undeliveredCallbacks: number;
  pendingApprovals: number;
  /** Ambiguous fiat orders. */
  ambiguousOrders: number;
  /** What people have to release or refuse before it is paid. */
  heldPayments: number;
  /** For every pair that can be quoted, whether there is a rate. */
  rates: readonly RateAge[];
  /** Every halted scope. */
  halts: readonly Pick<ScopeHalt, "scope" | "cause" | "since">[];
  /** Unexplained movements on the chains, by holder, direction and token. */
  suspense: readonly SuspenseSum[];
  /** Whether a confirmed commit is in two places by then, so that a failover loses none. */
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
/** Transfers of a chain that cannot move on, for one reason. `kind` null: a release before this one did not say. */
export type WaitingTransfers = { chain: string; kind: WaitingKind | null; reason: string; count: number };
export type RateAge = {
  pair: string;
  /** Null: there is no rate. A fixed rate is always current. */
  ageSeconds: number | null;
  /** Whether the pair can be quoted from it. */
  fresh: boolean;
  /** How long it has been too old; null: it is not, or there is none. */
  staleSeconds: number | null;
  /** Only these partners may quote the pair; null: every partner may. */
  partnerIds: readonly string[] | null;
};

/** A node's last answer to a worker. */
export type ChainHead = {
  chain: string;
  node: string;
  height: number /** The age of its newest block when it was asked. */;
  lagSeconds: number;
  askedSecondsAgo: number;
  /** How long the node had been silent when its worker last reported: a silent worker does not make a silent node. */
  silentSeconds: number;
};

/** A worker reports every few seconds; after more than `ALIVE_SECONDS` of silence it counts as down. */
export const BEAT_EVERY_SECONDS = 3;
export const ALIVE_SECONDS = 15;
/** Due work is taken up within two seconds where all is well. */
const OVERDUE_SECONDS = 60;
const NODE_SILENT_SECONDS = 60;
const HEAD_LAG_SECONDS = 180;

export type Check = {
  name: string;
  ok: boolean;
  detail: string;
  /** How long the trouble has lasted, where that is known. */
  forSeconds?: number;
  /** The same in words that do not change from look to look, where `detail` has figures that do. */
  why?: string;
};

/** How long a part may be silent before it counts as failing. */
export type Patience = { aliveSeconds: number; silentSeconds: number };
const READY_PATIENCE: Patience = { aliveSeconds: ALIVE_SECONDS, silentSeconds: NODE_SILENT_SECONDS };
/** How often a worker asks each node for its newest block, in addition to its payments. */
export const HEADS_EVERY_MS = 1_500;
/**
 * People are alerted before machines act: after two missed heartbeats, or three unanswered questions. Together with the next heartbeat and
 * reading, ten seconds.
 */
export const WATCH_PATIENCE: Patience = { aliveSeconds: 7, silentSeconds: 4.5 };

export function isAlive(process: ProcessVitals): boolean {
  return process.beatAgeSeconds <= ALIVE_SECONDS;
}

/** Whether the whole service can do its main job, part by part. `chains`: those on which it is configured to pay. */
export function judgeReadiness(
  vitals: Vitals,
  heads: readonly ChainHead[],
  chains: readonly string[],
  patience: Patience = READY_PATIENCE,
): Check[] {
  const worker = judgeWorker(vitals.processes, patience);
  return [
    worker,
    ...vitals.backlogs.map(judgeBacklog),
    judgeWaiting(vitals.waitingTransfers.filter(({ reason }) => !isHaltReason(reason))),
    describeHalts(vitals.halts),
    describeHolds(vitals.heldPayments),
    ...chains.map((chain) => judgeChain(chain, worker.ok ? heads.filter((head) => head.chain === chain) : null, patience)),
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
    detail: last ? `last heartbeat ${seconds(last.beatAgeSeconds)} ago` : "no worker has reported within the hour",
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
  if (waiting.length === 0) return { name: "payments", ok: true, detail: "no transfers are waiting" };
  const detail = waiting.map(({ chain, reason, count }) => `${count} on ${chain}: ${reason}`).join("; ");
  return { name: "payments", ok: false, detail: `transfers wait: ${detail}` };
}

/** A halt is not a fault of a part: people have to look, and everything outside its scope continues. */
function describeHalts(halts: Vitals["halts"]): Check {
  const lines = halts.map((halt) => `${halt.scope.kind} ${halt.scope.key} since ${halt.since.toISOString()}: ${haltReason(halt)}`);
  return { name: "halts", ok: true, detail: lines.length === 0 ? "nothing is halted" : lines.join("; ") };
}

/** So is a hold: one listed recipient does not make the service unready. */
function describeHolds(held: number): Check {
  return {
    name: "holds",
    ok: true,
    detail: held === 0 ? "no payment is held" : `${held} held until an admin or a screening source decides`,
  };
}

/** Only reported: the database's operator has to change it. Not checked in the sandbox. */
export function describeReplication({ isSynchronous }: Replication): Check {
  const detail = isSynchronous
    ? "commits are replicated synchronously"
    : "commits are not replicated synchronously: a failover may lose the last ones, and wallets halt when it does";
  return { name: "replication", ok: true, detail };
}

/** Only reported, too: a payment that cannot be screened waits, and everything else continues. */
export function describeScreened(state: ScreeningState): Check {
  return { name: "screening", ok: true, detail: describeScreening(state) };
}

/** `heads` null: no worker runs, so nobody knows how the chain is. */
function judgeChain(chain: string, heads: readonly ChainHead[] | null, { silentSeconds }: Patience): Check {
  const name = `chain ${chain}`;
  if (heads === null) return { name, ok: false, detail: "unknown, because no worker is running to ask its nodes" };
  if (heads.length === 0) return { name, ok: false, detail: "no node has answered a running worker", why: "no node has answered yet" };
  const asked = heads.filter((head) => head.silentSeconds <= silentSeconds);
  if (asked.length === 0) {
    const forSeconds = Math.min(...heads.map((head) => head.askedSecondsAgo));
    return { name, ok: false, detail: `no node has answered for ${seconds(forSeconds)}`, why: "no node answers", forSeconds };
  }
  const best = asked.reduce((left, right) => (right.height > left.height ? right : left));
  const detail = `${asked.length} of ${heads.length} nodes answer, head ${best.height}, ${seconds(best.lagSeconds)} old`;
  if (best.lagSeconds <= HEAD_LAG_SECONDS) return { name, ok: true, detail };
  return { name, ok: false, detail, why: "its nodes have no new block", forSeconds: best.lagSeconds + best.askedSecondsAgo };
}

function judgeRates(rates: readonly RateAge[]): Check {
  if (rates.length === 0) return { name: "rates", ok: false, detail: "no pair is enabled" };
  const why = describeUnquotable(rates);
  if (why !== null) return { name: "rates", ok: false, detail: why, ...staleFor(rates) };
  const oldest = Math.max(...rates.map(({ ageSeconds }) => ageSeconds ?? 0));
  return { name: "rates", ok: true, detail: `${rates.length} pairs, the oldest rate ${seconds(oldest)} old` };
}

/** Since the first of the rates was too old. A rate that is missing does not say since when. */
function staleFor(rates: readonly RateAge[]): Pick<Check, "forSeconds"> {
  const ages = rates.flatMap(({ fresh, staleSeconds }) => (fresh ? [] : [staleSeconds]));
  return ages.includes(null) ? {} : { forSeconds: Math.max(...ages.map(Number)) };
}

/** Every pair that cannot be quoted, by name and by what it lacks. Null: there is none. */
function describeUnquotable(rates: readonly RateAge[]): string | null {
  const describe = (words: string, lacking: readonly RateAge[]) =>
    lacking.length === 0 ? [] : [`${words} ${lacking.map(({ pair }) => pair).join(", ")}`];
  const stale = rates.filter(({ fresh }) => !fresh);
  const all = [
    ...describe(
      "no rate for",
      stale.filter(({ ageSeconds }) => ageSeconds === null),
    ),
    ...describe(
      "the rate is too old for",
      stale.filter(({ ageSeconds }) => ageSeconds !== null),
    ),
  ];
  return all.length === 0 ? null : all.join("; ");
}

function seconds(value: number): string {
  return value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`;
}
