import { only } from "#cli/arguments.ts";
import { clientOf } from "#cli/client.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { kindOf } from "#cli/id-kind.ts";
import { orderView } from "#cli/order-view.ts";
import { type Out, table } from "#cli/out.ts";
import { notifyAndWait, printAndWait, WAITING } from "#cli/waiting.ts";
import type { SettlementClient } from "#sdk/typescript/src/index.ts";

export const get = defineCommand({
  name: "get",
  summary: "Read a settlement, a withdrawal or a top-up, or a settlement's callbacks with every attempt",
  usage: "ID [--wait | --callbacks]",
  options: { callbacks: { type: "boolean", about: "Show the settlement's callbacks instead" }, ...WAITING },
  notes: ["ID begins with tx_ (settlement), wd_ (withdrawal) or tu_ (top-up)."],
  async run({ values, positionals, out, profile, signal }) {
    const [id = ""] = only(positionals, "ID");
    const kind = kindOf(id, values.callbacks === true);
    const client = clientOf(profile());
    if (kind === "withdrawal") return await printAndWait(client.withdrawals, id, orderView, { values, out, signal });
    if (kind === "topup") return await printAndWait(client.topups, id, orderView, { values, out, signal });
    if (values.callbacks === true) return await printCallbacks(client, id, out, signal);
    return await notifyAndWait(client, await client.settlements.get(id, { signal }), { values, out, signal });
  },
});

async function printCallbacks(client: SettlementClient, txId: string, out: Out, signal: AbortSignal): Promise<number> {
  const callbacks = await client.settlements.callbacks(txId, { signal });
  const rows = callbacks.map(({ id, event, state, attempts, next_attempt_at }) => [
    id,
    event,
    state,
    attempts.map(({ response_status, error }) => response_status ?? error ?? "in progress").join(", ") || "none",
    next_attempt_at ?? "",
  ]);
  out.print(callbacks, (paint) =>
    rows.length === 0 ? "It has no callbacks yet." : table(["CALLBACK", "EVENT", "STATE", "ANSWERS", "NEXT ATTEMPT"], rows, paint),
  );
  return EXIT.done;
}
