import { only } from "#cli/arguments.ts";
import { clientOf } from "#cli/client.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { table } from "#cli/out.ts";
import { notifyAndWait, WAITING } from "#cli/waiting.ts";

export const get = defineCommand({
  name: "get",
  summary: "Read a settlement, or its callbacks with every attempt",
  usage: "TX_ID [--wait | --callbacks]",
  options: { callbacks: { type: "boolean", about: "Its callbacks in its place" }, ...WAITING },
  async run({ values, positionals, out, profile, signal }) {
    const [txId = ""] = only(positionals, "TX_ID");
    const client = clientOf(profile());
    if (values.callbacks !== true)
      return await notifyAndWait(client, await client.settlements.get(txId, { signal }), { values, out, signal });
    const callbacks = await client.settlements.callbacks(txId, { signal });
    const rows = callbacks.map(({ id, event, state, attempts, next_attempt_at }) => [
      id,
      event,
      state,
      attempts.map(({ response_status, error }) => response_status ?? error ?? "under way").join(", ") || "none",
      next_attempt_at ?? "",
    ]);
    out.tell(callbacks, (paint) =>
      rows.length === 0 ? "It has no callbacks yet." : table(["CALLBACK", "EVENT", "STATE", "ANSWERS", "NEXT ATTEMPT"], rows, paint),
    );
    return EXIT.done;
  },
});
