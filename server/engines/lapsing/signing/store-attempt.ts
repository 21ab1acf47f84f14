import type { Database } from "#db/client.ts";
import { insertLapsingAttempt } from "#db/queries/transfers/lapsing-attempts.ts";
import type { UnsignedPayment } from "#domain/lapsing-chain.ts";

type Signed = {
  transferId: string;
  walletId: string;
  signed: { id: string; bytes: string };
  unsigned: Pick<UnsignedPayment, "bytes" | "after" | "expiry" | "feeAtMost">;
  now: Date;
};

/** Stores signed bytes with everything that is needed to look them up. */
export async function storeAttempt(tx: Database, { transferId, walletId, signed, unsigned, now }: Signed): Promise<void> {
  const { bytes, after, expiry, feeAtMost } = unsigned;
  await insertLapsingAttempt(tx, {
    id: signed.id,
    transferId,
    walletId,
    signedBytes: signed.bytes,
    unsignedBytes: bytes,
    afterHeight: after,
    expiryHeight: expiry.by === "height" ? expiry.last : null,
    expiryAt: expiry.by === "time" ? expiry.last : null,
    feeToken: feeAtMost.token,
    feeAtMost: feeAtMost.amountBase,
    signedAt: now,
  });
}
