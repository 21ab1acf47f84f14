/**
 * A payment whose signed bytes lapse by themselves: no block may include them after their expiry. Tempo's expiring nonces, Solana's
 * blockhashes and Tron's expirations are the same problem, so there is one lifecycle for all three.
 */
export const LAPSING_STATES = ["stored", "sent", "seen", "paid", "failed", "lapsed"] as const;
export type LapsingState = (typeof LAPSING_STATES)[number];

/**
 * The life of one attempt as one table. `stored`: its bytes and its id are in the database, and nothing was sent before. `seen`: in a block
 * that is not final. `paid` and `failed`: in a final block. Only a `lapsed` attempt lets its payment be signed again.
 */
export const LAPSING_LIFECYCLE = {
  send: { from: ["stored"], to: "sent" },
  see: { from: ["stored", "sent"], to: "seen" },
  drop: { from: ["seen"], to: "sent" },
  pay: { from: ["stored", "sent", "seen"], to: "paid" },
  fail: { from: ["stored", "sent", "seen"], to: "failed" },
  lapse: { from: ["stored", "sent"], to: "lapsed" },
} as const satisfies Record<string, LapsingLifecycleRow>;

export type LapsingLifecycleRow = { from: readonly LapsingState[]; to: LapsingState };
export type LapsingActionType = keyof typeof LAPSING_LIFECYCLE;

/** A move that the table does not allow: a defect, or another worker was faster. */
export class IllegalLapsingMove extends Error {
  override readonly name = "IllegalLapsingMove";
}

/** Whether the table allows the action in such a state. */
export function allowsLapsing(state: LapsingState, action: LapsingActionType): boolean {
  const row: LapsingLifecycleRow = LAPSING_LIFECYCLE[action];
  return row.from.includes(state);
}

/** The state after an action. @throws IllegalLapsingMove where the table has no such row. */
export function advanceLapsing(state: LapsingState, action: LapsingActionType): LapsingState {
  if (!allowsLapsing(state, action)) throw new IllegalLapsingMove(`an attempt that is ${state} cannot ${action}`);
  return LAPSING_LIFECYCLE[action].to;
}

/** Whether the attempt may still change: its bytes are sent again, and nodes are asked about it. */
export function isOpenLapsing(state: LapsingState): boolean {
  return state === "stored" || state === "sent" || state === "seen";
}
