import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lockLapsingAttempt, saveLapsingAttempt } from "#db/queries/transfers/lapsing-attempts.ts";
import { lockTransfer, restTransfers, saveTransfer } from "#db/queries/transfers/transfers.ts";
import { advanceLapsing } from "#domain/lapsing.ts";
import { advanceTransfer } from "#domain/transfer.ts";
import type { LapsingPass } from "#server/engines/lapsing/engine.ts";
import { countMove } from "#server/engines/payments/engine.ts";
import { Rejected } from "#server/ports.ts";
import { orSilent } from "#server/services/ledger/ask-lapsing-nodes.ts";
import type { Followed } from "./apply-verdict.ts";

/**
 * Hands stored bytes to every node that answers: a retry sends the same ones. The only place that sends. A node that refuses them proves
 * nothing: the payment waits until the chain says what became of it.
 */
export async function sendAttempt({ engine, chain, nodes }: LapsingPass, { attempt, transfer, members }: Followed): Promise<void> {
  const { ctx, timings } = engine;
  // Only the journal knew of it: its bytes are nowhere.
  if (attempt.signedBytes === "") return;
  const packed = members === null ? {} : { members: members.map((member) => member.transfer.id) };
  const order = { chain: chain.chain, transferId: transfer.id, ...packed, id: attempt.id, bytes: attempt.signedBytes };
  const opened = await engine.signers.admit(order);
  if ("fault" in opened) {
    ctx.log.error({ transfer_id: transfer.id, tx_hash: attempt.id, reason: opened.fault }, "the signer does not open a payment's bytes");
    return await restTransfers(ctx.db, [transfer.id], { kind: "review", reason: opened.fault, restMs: timings.restMs });
  }
  engine.step("admitted", transfer.id);
  const answers = await Promise.all(nodes.map((node) => orSilent(node.send(opened.raw)).catch(asRefusal)));
  engine.step("sent", transfer.id);
  if (answers.some((answer) => typeof answer === "string")) {
    if (attempt.state === "stored") await noteSent();
    return;
  }
  const refusal = answers.find((answer) => answer !== null);
  if (refusal !== undefined && typeof refusal !== "string") {
    ctx.log.warn({ transfer_id: transfer.id, tx_hash: attempt.id, err: refusal }, "a node refuses a signed payment");
    await restTransfers(ctx.db, [transfer.id], {
      kind: "chain_unavailable",
      reason: `A node refuses it: ${refusal?.message}`,
      restMs: timings.lookMs,
    });
  }

  async function noteSent(): Promise<void> {
    const after = await ctx.db.transaction(async (tx) => {
      const before = await lockTransfer(tx, transfer.id);
      const locked = await lockLapsingAttempt(tx, attempt.id);
      if (before === null || locked?.state !== "stored") return null;
      const now = await readBusinessNow(tx);
      await saveLapsingAttempt(tx, { ...locked, state: advanceLapsing(locked.state, "send"), sentAt: now });
      const moved = advanceTransfer(before, { type: "broadcast" }, now);
      await saveTransfer(tx, moved, now);
      return moved;
    });
    if (after !== null) countMove(engine, "signed", after);
    engine.step("noted", transfer.id);
  }
}

function asRefusal(error: unknown): Rejected {
  if (error instanceof Rejected) return error;
  throw error;
}
