import type { CancellableSql } from "./late-use.ts";

/** Cancels an open transaction of drizzle's, by the handle of the driver that its session holds. */
export function cancel(tx: object): void {
  const { session } = tx as { session?: { client?: Partial<CancellableSql> } };
  if (session?.client?.cancel === undefined) throw new Error("this transaction's handle cannot be cancelled");
  session.client.cancel();
}
