import type { Settlement, SettlementClient } from "#sdk/typescript/src/index.ts";
import { milliseconds } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import type { Out } from "./out.ts";
import { settlementView } from "./settlement-view.ts";

/** The two options of what may wait. */
export const WAITING = {
  wait: { type: "boolean", about: "Until it has ended; then 0 for executed, 1 for any other end" },
  timeout: { type: "string", value: "SECONDS", default: "600", about: "How long at most (600)" },
} as const;

type Waiting = { values: { wait?: boolean | undefined; timeout: string }; out: Out; signal: AbortSignal };

/** Tells the settlement, and where that was asked for, its end. */
export async function notifyAndWait(client: SettlementClient, settlement: Settlement, { values, out, signal }: Waiting): Promise<number> {
  const timeoutMs = milliseconds(values.timeout);
  let last = settlement;
  if (values.wait === true) {
    out.note(`${settlement.tx_id} is ${settlement.status}; waiting …`);
    last = await client.settlements.waitForTerminal(settlement.tx_id, { timeoutMs, signal });
  }
  out.tell(last, (paint) => settlementView(last, paint));
  return values.wait === true && last.status !== "executed" ? EXIT.refused : EXIT.done;
}
