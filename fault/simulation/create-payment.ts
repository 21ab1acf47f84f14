import type { Database } from "#db/client.ts";
import { newId } from "#domain/ids.ts";
import { enqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { TOKEN } from "./contents.ts";
import { CHAIN } from "./nodes.ts";
import type { PaymentWorld } from "./payments-world.ts";
import { dateOf } from "./tables/rows.ts";

/** The recipient of the payment of that number, and of no other payment. */
export const recipient = (index: number) => `0x${(0xb000 + index).toString(16).padStart(40, "0")}`;

/** A partner's confirmation owes a payment, in a transaction of the web process. */
export async function createPayment(world: PaymentWorld, db: Database, index: number): Promise<void> {
  const amountBase = 1_000_000n + BigInt(index);
  const now = dateOf(world.scheduler.now);
  const ownerId = newId("settlement", now);
  const asset = { chain: CHAIN, currency: "USDT", tokenAddress: TOKEN, tokenDecimals: 6 };
  const payment = { ...asset, purpose: "settlement", ownerId, partnerId: null } as const;
  world.orders.set(ownerId, { recipient: recipient(index), amountBase });
  const { id } = await db.transaction((tx) => enqueueTransfer(tx, { ...payment, amountBase, recipient: recipient(index), now }));
  world.owed.set(id, { id, recipient: recipient(index), amountBase, at: world.scheduler.now });
}
