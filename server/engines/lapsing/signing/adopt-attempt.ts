import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lockTransfers, saveTransfer } from "#db/queries/transfers/transfers.ts";
import { findWalletId } from "#db/queries/transfers/wallet-addresses.ts";
import { owedOn } from "#domain/lapsing-chain.ts";
import type { LapsingEntry } from "#domain/lapsing-journal.ts";
import { advanceTransfer, type Transfer, type WaitingKind } from "#domain/transfer.ts";
import type { LapsingPass } from "#server/engines/lapsing/engine.ts";
import { countMove } from "#server/engines/payments/engine.ts";
import { adoptPack } from "./adopt-pack.ts";
import { storeAttempt } from "./store-attempt.ts";

type Why = { kind: WaitingKind; reason: string };

/**
 * Takes over an attempt that the signer's journal has and the database lacks, because the database was put back. It has no bytes here, so it is
 * never sent again: the chain says what became of it. Null: it is taken over, or another worker has the payment.
 */
export async function adoptAttempt(
  { engine, chain }: LapsingPass,
  { transfer, token }: { transfer: Transfer; token: string },
  attempt: LapsingEntry,
): Promise<Why | null> {
  if (attempt.members !== undefined) return await adoptPack({ engine, chain }, transfer, { ...attempt, members: attempt.members });
  if (!isFor(chain, transfer, attempt))
    return { kind: "review", reason: `The signer's journal says that ${attempt.id} pays something else for it.` };
  const after = await engine.ctx.db.transaction(async (tx) => {
    const [locked] = await lockTransfers(tx, [transfer.id], token);
    if (locked?.state !== "queued") return null;
    const walletId = await findWalletId(tx, chain.chain, attempt.wallet);
    if (walletId === null) throw new Error(`the journal has a payment by ${attempt.wallet}, which is no wallet of the service`);
    await storeAttempt(tx, {
      transferId: transfer.id,
      walletId,
      signed: { id: attempt.id, bytes: "" },
      unsigned: attempt,
      now: attempt.at,
    });
    const now = await readBusinessNow(tx);
    const moved = advanceTransfer(locked, { type: "sign" }, now);
    await saveTransfer(tx, moved, now);
    return moved;
  });
  if (after === null) return null;
  countMove(engine, "queued", after);
  const fields = { transfer_id: transfer.id, chain: chain.chain, tx_hash: attempt.id };
  engine.ctx.log.warn(fields, "the signer has signed a payment that the database does not know: the chain says what became of it");
  return null;
}

function isFor(chain: LapsingPass["chain"], transfer: Transfer, attempt: LapsingEntry): boolean {
  const { recipient, token, amountBase } = owedOn(chain, transfer);
  return recipient === attempt.recipient && token === attempt.token && amountBase === attempt.amountBase;
}
