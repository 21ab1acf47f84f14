import type { Settlement, SettlementClient } from "#sdk/typescript/src/index.ts";
import { milliseconds } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import type { Out, Paint } from "./out.ts";
import { settlementView } from "./settlement-view.ts";

/** The two options of what may wait. */
export const WAITING = {
  wait: { type: "boolean", about: "Wait for the end, then exit with 0 for executed or completed, 1 for any other end" },
  timeout: { type: "string", value: "SECONDS", default: "600", about: "Wait at most this long (600)" },
} as const;

type Waiting = { values: { wait?: boolean | undefined; timeout: string }; out: Out; signal: AbortSignal };

/** Prints the settlement and, if requested, waits for its end. */
export async function notifyAndWait(client: SettlementClient, settlement: Settlement, { values, out, signal }: Waiting): Promise<number> {
  const timeoutMs = milliseconds(values.timeout);
  let last = settlement;
  if (values.wait === true) {
    out.note(`${settlement.tx_id} is ${settlement.status}; waiting …`);
    last = await client.settlements.waitForTerminal(settlement.tx_id, { timeoutMs, signal });
  }
  out.print(last, (paint) => settlementView(last, paint));
  return values.wait === true && last.status !== "executed" ? EXIT.refused : EXIT.done;
}

/** A withdrawal or a top-up, which is read by its id. */
type Orders<Order> = {
  get(id: string, asked: { signal: AbortSignal }): Promise<Order>;
  waitForTerminal(id: string, waiting: { timeoutMs: number; signal: AbortSignal }): Promise<Order>;
};

/** Prints a withdrawal or a top-up and, if requested, waits for its end. */
export async function printAndWait<Order extends { id: string; status: string }>(
  orders: Orders<Order>,
  id: string,
  view: (order: Order, paint: Paint) => string,
  { values, out, signal }: Waiting,
): Promise<number> {
  const timeoutMs = milliseconds(values.timeout);
  let last = await orders.get(id, { signal });
  if (values.wait === true) {
    out.note(`${id} is ${last.status}; waiting …`);
    last = await orders.waitForTerminal(id, { timeoutMs, signal });
  }
  out.print(last, (paint) => view(last, paint));
  return values.wait === true && last.status !== "completed" ? EXIT.refused : EXIT.done;
}
