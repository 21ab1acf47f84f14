import { judgeLapsingPutBack } from "./lapsing-put-back.ts";
import type { LapsingWorld } from "./lapsing-world.ts";
import { tables } from "./tables/rows.ts";

/** Whether nothing is left for a worker to do. What a token paid short is people's to look into. */
export function isLapsingDone({ owed, putBack, net: { chain } }: LapsingWorld): boolean {
  return [...owed.values()].every(({ id, recipient }) => {
    // What a database that was put back does not know is for people.
    if (putBack !== null && !tables().transfers.rows.has(id)) return true;
    const state = tables().transfers.rows.get(id)?.transfer.state;
    const isShort = chain.short.has(recipient) || (state === "packed" && withOf(id).some((other) => chain.short.has(other)));
    return state === "executed" || state === "failed" || (isShort && state !== "queued");
  });
}

/** The recipients of all payments of its transaction. */
function withOf(id: string): string[] {
  const { members, transfers } = tables();
  const packId = members.rows.get(id)?.packId;
  const own = [...members.rows.values()].filter((row) => row.packId === packId);
  return own.flatMap((row) => transfers.rows.get(row.id)?.transfer.recipient ?? []);
}

/**
 * The model: each payment is made once, under the very id that is reported, or is reported as failed and never made. What the chain took is
 * booked for each id once. Every end is reported once.
 */
export function judgeLapsing(world: LapsingWorld): void {
  const { owed, net, violations } = world;
  const { chain, refused } = net;
  const { transfers, lapsingAttempts, announced, fees } = tables();
  for (const { id, recipient, amountBase, reference } of owed.values()) {
    const transfer = transfers.rows.get(id)?.transfer;
    const made = chain.paidFor(reference);
    const say = (line: string) => void violations.push(`${id} is ${transfer?.state}: ${line}`);
    if (made.length > 1) say(`it was made ${made.length} times`);
    if (transfer?.state === "executed") {
      const [first] = made;
      const moves = first?.end.moves ?? [];
      if (first?.one.id !== transfer.txHash) say(`reported under ${transfer.txHash}, and made under ${first?.one.id}`);
      else if (!moves.some((move) => move.recipient === recipient && move.amountBase === amountBase)) say("the token moved another amount");
    } else if (transfer?.state === "failed") {
      if (made.length > 0) say("it was made all the same");
      if (!refused.has(recipient) && !chain.frozen.has(recipient)) say(`it failed without a reason: ${transfer.failureReason}`);
    } else if (transfer?.state === "needs_review") say(`people have to look: ${transfer.reviewReason}`);
    if (transfer === undefined) continue;
    const ends = [...announced.rows.values()].filter(({ transferId }) => transferId === id);
    if (ends.length !== (transfer?.state === "executed" || transfer?.state === "failed" ? 1 : 0)) say(`${ends.length} ends were reported`);
  }
  judgeLapsingPutBack(world);
  for (const { attempt } of lapsingAttempts.rows.values()) {
    const landed = chain.placeOf(attempt.id);
    if (attempt.state === "lapsed" && landed !== null) violations.push(`${attempt.id} is lapsed, and in block ${landed.height}`);
    if (attempt.state !== "paid" && attempt.state !== "failed") continue;
    const booked = [...fees.rows.values()].filter(({ fee }) => fee.hash === attempt.id).reduce((sum, { fee }) => sum + fee.feeBase, 0n);
    if (landed === null || booked !== landed.end.fee.amountBase)
      violations.push(`${attempt.id} cost ${landed?.end.fee.amountBase}, and ${booked} is booked`);
  }
}

export function leftOver({ owed }: LapsingWorld): string {
  const rows = [...owed.keys()].map((id) => tables().transfers.rows.get(id)?.transfer);
  const attempts = [...tables().lapsingAttempts.rows.values()].map(({ attempt }) => `${attempt.id} ${attempt.state}`);
  return [...rows.map((one) => `${one?.id} ${one?.state} ${one?.waitingReason}`), ...attempts].join("; ");
}
