import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listTried, owePack } from "#db/queries/transfers/pack-members.ts";
import { findTransferOf, lockTransfers, saveTransfers } from "#db/queries/transfers/transfers.ts";
import { findWalletId } from "#db/queries/transfers/wallet-addresses.ts";
import { journalOwner } from "#domain/journal.ts";
import { owedOn } from "#domain/lapsing-chain.ts";
import type { LapsingEntry } from "#domain/lapsing-journal.ts";
import { advanceTransfer, TRANSFER_PURPOSES, type Transfer, type WaitingKind } from "#domain/transfer.ts";
import type { LapsingPass } from "#server/engines/lapsing/engine.ts";
import { countMove } from "#server/engines/payments/engine.ts";
import { packTransfer } from "#server/engines/payments/signing/pack-parts.ts";
import { storeAttempt } from "./store-attempt.ts";

type Packed = LapsingEntry & { members: NonNullable<LapsingEntry["members"]> };

/**
 * Takes over a transaction of several payments that the signer's journal has and the database lacks, with all of its payments that the
 * database has. It has no bytes here, so it is never sent again: the chain says what became of it. Null: it is taken over, or another worker
 * has the payment.
 */
export async function adoptPack(
  { engine, chain }: Pick<LapsingPass, "engine" | "chain">,
  { id }: Transfer,
  attempt: Packed,
): Promise<{ kind: WaitingKind; reason: string } | null> {
  const adopted = await engine.ctx.db.transaction(async (tx) => {
    const named = await listNamed(tx, attempt);
    const tried = await listTried(
      tx,
      named.map((transfer) => transfer.id),
    );
    const locked = await lockTransfers(
      tx,
      named.map((transfer) => transfer.id),
    );
    const own = locked.find((transfer) => transfer.id === id);
    if (own !== undefined && own.state !== "queued") return null;
    const members = locked.filter((transfer) => transfer.state === "queued" && !tried.has(transfer.id) && isPaidBy(transfer));
    if (own === undefined || !members.includes(own)) return [];
    const walletId = await findWalletId(tx, chain.chain, attempt.wallet);
    if (walletId === null) throw new Error(`the journal has payments by ${attempt.wallet}, which is no wallet of the service`);
    const now = await readBusinessNow(tx);
    const packId = attempt.owner.slice("pack:".length);
    const pack = packTransfer(members, { to: attempt.wallet, valueBase: 0n, data: "0x" }, attempt.wallet, now);
    const stored = await owePack(
      tx,
      { ...pack, id: packId, ownerId: packId },
      members.map((member) => member.id),
    );
    await storeAttempt(tx, { transferId: packId, walletId, signed: { id: attempt.id, bytes: "" }, unsigned: attempt, now: attempt.at });
    const packed = members.map((member) => advanceTransfer(member, { type: "pack" }, now));
    await saveTransfers(tx, [...packed, advanceTransfer(stored, { type: "sign" }, now)], now);
    return packed;
  });
  if (adopted?.length === 0) return { kind: "review", reason: `The signer's journal says that ${attempt.id} pays something else for it.` };
  for (const after of adopted ?? []) countMove(engine, "queued", after);
  const fields = { transfer_ids: adopted?.map((one) => one.id), chain: chain.chain, tx_hash: attempt.id };
  if (adopted !== null)
    engine.ctx.log.warn(fields, "the signer has signed payments that the database does not know: the chain says what became of them");
  return null;

  function isPaidBy(transfer: Transfer): boolean {
    const { token, recipient, amountBase } = owedOn(chain, transfer);
    const said = attempt.members.find(({ owner }) => owner === journalOwner(transfer));
    return transfer.chain === chain.chain && token === attempt.token && said?.recipient === recipient && said.amountBase === amountBase;
  }
}

/** The payments that the journal names, of those that the database has. */
async function listNamed(tx: Database, { members }: Packed): Promise<Transfer[]> {
  const found: Transfer[] = [];
  for (const { owner } of members) {
    const [named, ownerId = ""] = owner.split(":");
    const purpose = TRANSFER_PURPOSES.find((one) => one === named);
    const transfer = purpose === undefined ? null : await findTransferOf(tx, purpose, ownerId);
    if (transfer !== null) found.push(transfer);
  }
  return found;
}
