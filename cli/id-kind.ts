import { ID_PREFIXES } from "#domain/ids.ts";
import { Trouble } from "./exit.ts";

/** The kind of the id, before any request. @throws Trouble for an id that this command does not read. */
export function kindOf(id: string, wantsCallbacks: boolean): "settlement" | "withdrawal" | "topup" {
  const isOf = (kind: keyof typeof ID_PREFIXES) => id.startsWith(`${ID_PREFIXES[kind]}_`);
  if (isOf("callback")) throw new Trouble(`${id} is a callback. Run settle get TX_ID --callbacks to list the callbacks of a settlement.`);
  if (isOf("request")) throw new Trouble(`${id} is a request. Find it in the console under Developers, Log.`);
  const kind = isOf("withdrawal") ? "withdrawal" : isOf("topup") ? "topup" : "settlement";
  if (kind !== "settlement" && wantsCallbacks)
    throw new Trouble(`${id} is not a settlement. The console lists callbacks of withdrawals and top-ups (Callbacks).`);
  return kind;
}
