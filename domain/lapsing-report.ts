import type { LapsingActionType, LapsingState } from "./lapsing.ts";

/** A place in a chain: a block's height (on Solana its slot's block height) and its time. */
export type ChainPoint = { height: number; at: Date };

/** The last height or instant at which a block may include the bytes. Where the chain's own limit is exclusive, this is later by one. */
export type Expiry = { by: "height"; last: number } | { by: "time"; last: Date };

/**
 * Tokens that a transaction moved, its fee not among them. `token` null: the chain's coin. Addresses in the chain's own canonical form. `place`: of the
 * token's event among the transaction's own, or of the instruction; left out where the chain names none.
 */
export type LapsingTokenMove = { token: string | null; sender: string; recipient: string; amountBase: bigint; place?: number | undefined };

/** What the chain took for a transaction. `token` null: the coin. Rent, burned energy and a data fee are among it. */
export type LapsingFee = { token: string | null; amountBase: bigint };

/** What a transaction used of what its chain meters, by the chain's own names: energy and bandwidth on Tron, gas on Tempo. */
export type MeteredUse = Readonly<Record<string, number>>;

/**
 * How a transaction ended in a final block. `fault`: a failed one is the recipient's (the payment can never be made), or the treasury's (too
 * little of something, a frozen sender). Both failed ones moved nothing. `at`: the block's time.
 */
export type LapsingEnd = {
  height: number;
  at?: Date;
  blockHash: string;
  fee: LapsingFee;
  moves: readonly LapsingTokenMove[];
  /** Left out: the chain's fee says all. */
  used?: MeteredUse;
} & ({ outcome: "paid" } | { outcome: "failed"; reason: string; fault: "payment" | "treasury" });

/**
 * What one node reports about an attempt's id.
 *
 * - `absent`: no block that it has contains the id. `history`: the heights, final and without a gap, in which it looked; null: it cannot say.
 *   `isExpired`: its own word that no later block may include the bytes.
 * - `seen`: in a block that is not final.
 * - `final`: in a final block.
 */
export type LapsingReport =
  | { kind: "absent"; history: { from: ChainPoint; to: ChainPoint } | null; isExpired: boolean }
  | { kind: "seen"; height: number; blockHash: string }
  | ({ kind: "final" } & LapsingEnd);

/** An attempt, as far as it is judged. `after`: the last final height when its bytes were prepared, so it is in no block up to there. */
export type LapsingAttempt = {
  state: LapsingState;
  after: number;
  expiry: Expiry;
  /** Every payment that it makes. */
  owed: readonly LapsingOwed[];
};
export type LapsingOwed = { token: string | null; recipient: string; amountBase: bigint };

/** `configured`: the chain's nodes. `toPay`: how many must agree that it was paid; more than are configured cannot be asked. */
export type NodeCount = { configured: number; toPay: number };

/**
 * What happens next. `send`: the bytes may go out (again). `wait`: a lapse is not proven yet (`lapsing`), a second node is missing
 * (`second_node`), no node answers (`silent`), or nodes contradict each other or the bytes (`contradiction`), which people look into.
 */
export type LapsingVerdict =
  | { next: "send" | "drop" | "lapse" }
  | { next: "see"; height: number; blockHash: string }
  | { next: "pay" | "fail"; end: LapsingEnd }
  | { next: "wait"; for: LapsingWait };
export type LapsingWait = "lapsing" | "second_node" | "silent" | "contradiction";

/** Two nodes, where two are configured, must prove what lets a payment be made a second time. */
const TO_PROVE = 2;

/** The expiry as it is stored: by height or by time. */
export function expiryOf({ expiryHeight, expiryAt }: { expiryHeight: number | null; expiryAt: Date | null }): Expiry {
  if (expiryHeight !== null) return { by: "height", last: expiryHeight };
  if (expiryAt !== null) return { by: "time", last: expiryAt };
  throw new Error("a stored attempt has no expiry");
}

/** Whether a final block is past an expiry, so that no later one may include the bytes. */
export function isPast(expiry: Expiry, final: ChainPoint): boolean {
  return expiry.by === "height" ? final.height > expiry.last : final.at.getTime() > expiry.last.getTime();
}

/**
 * Whether a report proves that an attempt is in no block and never will be: the final chain is past its expiry, also by the node's own word,
 * and the id is absent from a complete history of the whole time in which a block could include it.
 */
export function provesLapse(report: LapsingReport, { after, expiry }: Pick<LapsingAttempt, "after" | "expiry">): boolean {
  if (report.kind !== "absent" || report.history === null || !report.isExpired) return false;
  return report.history.from.height <= after + 1 && isPast(expiry, report.history.to);
}

/** Whether a final transaction that succeeded moved what is owed, to each to whom it is owed. */
export function paysOwed({ moves }: Pick<LapsingEnd, "moves">, owed: readonly LapsingOwed[]): boolean {
  const places = owed.map(({ token, recipient }) => `${token} ${recipient}`);
  // Two payments to one recipient would count the same move twice.
  if (owed.length === 0 || new Set(places).size < owed.length) return false;
  return owed.every((one) => {
    const same = moves.filter(({ token, recipient }) => token === one.token && recipient === one.recipient);
    return same.reduce((sum, { amountBase }) => sum + amountBase, 0n) === one.amountBase;
  });
}

/**
 * Where each payment of a transaction was made, in their order: the place of its event or its instruction. Null: the chain does not name the
 * place of each.
 */
export function placesIn({ moves }: Pick<LapsingEnd, "moves">, owed: readonly LapsingOwed[]): number[] | null {
  const places = owed.flatMap(
    (one) =>
      moves.find(({ token, recipient, place }) => token === one.token && recipient === one.recipient && place !== undefined)?.place ?? [],
  );
  return new Set(places).size === owed.length ? places : null;
}

/**
 * Judges what the nodes that answer report about an attempt. Silence proves nothing. What would let the payment be made again (`lapse`), or
 * says that it never was (`fail`), needs two nodes where two are configured, and no node that contradicts.
 */
export function judgeReports(attempt: LapsingAttempt, reports: readonly LapsingReport[], nodes: NodeCount): LapsingVerdict {
  const finals = reports.filter((report) => report.kind === "final");
  const seen = reports.find((report) => report.kind === "seen");
  const proofs = reports.filter((report) => provesLapse(report, attempt)).length;
  const [first] = finals;
  if (proofs > 0 && (first !== undefined || seen !== undefined)) return wait("contradiction");
  if (first !== undefined) return judgeFinal(attempt, first, finals, nodes);
  if (seen !== undefined) return { next: "see", height: seen.height, blockHash: seen.blockHash };
  if (reports.length === 0) return wait("silent");
  // A node that has a history has none of this id in it, so the block in which it was seen is gone.
  if (attempt.state === "seen")
    return reports.some((report) => report.kind === "absent" && report.history !== null) ? { next: "drop" } : wait("silent");
  if (proofs >= Math.min(TO_PROVE, nodes.configured)) return { next: "lapse" };
  if (proofs > 0) return wait("second_node");
  return reports.some((report) => report.kind === "absent" && report.isExpired) ? wait("lapsing") : { next: "send" };
}

function judgeFinal(attempt: LapsingAttempt, first: LapsingEnd, finals: readonly LapsingEnd[], nodes: NodeCount): LapsingVerdict {
  if (!finals.every((other) => isSameEnd(first, other))) return wait("contradiction");
  const isPaid = first.outcome === "paid";
  if (isPaid ? !paysOwed(first, attempt.owed) : first.moves.length > 0) return wait("contradiction");
  const needed = Math.min(isPaid ? nodes.toPay : TO_PROVE, nodes.configured);
  if (finals.length < needed) return wait("second_node");
  return { next: isPaid ? "pay" : "fail", end: first };
}

function isSameEnd(one: LapsingEnd, other: LapsingEnd): boolean {
  const { height, blockHash, outcome, fee } = one;
  const isSamePlace = height === other.height && blockHash === other.blockHash && outcome === other.outcome;
  return isSamePlace && fee.token === other.fee.token && fee.amountBase === other.fee.amountBase;
}

const wait = (reason: LapsingWait): LapsingVerdict => ({ next: "wait", for: reason });

/** The action of the lifecycle that a verdict asks for; null where it leaves the state as it is. */
export function actionOf(state: LapsingState, { next }: LapsingVerdict): LapsingActionType | null {
  if (next === "wait" || (next === "send" && state !== "stored") || (next === "see" && state === "seen")) return null;
  return next;
}
