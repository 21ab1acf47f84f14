import { z } from "zod";
import type { EvmIntent, EvmLog } from "#domain/evm-intent.ts";
import { type JsonRpc, RpcFault } from "#server/adapters/chain/json-rpc.ts";
import { callOf } from "./call-of.ts";

const Call = z.object({
  status: z.literal("0x1"),
  logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
});
const Trial = z.tuple([z.object({ calls: z.tuple([Call]) })]);

/**
 * The logs that an intent would leave on top of the newest block (`eth_simulateV1`). Null: the call fails there, or the node does not have
 * the method or answers it in another shape. Nothing depends on it: after null, the caller asks in the usual way.
 *
 * @throws Unreachable
 */
export async function trialLogs(rpc: JsonRpc, sender: string, intent: EvmIntent): Promise<readonly EvmLog[] | null> {
  try {
    const trial = await rpc.call("eth_simulateV1", [{ blockStateCalls: [{ calls: [callOf(sender, intent)] }] }, "latest"]);
    return Trial.safeParse(trial).data?.[0].calls[0].logs ?? null;
  } catch (error) {
    if (error instanceof RpcFault) return null;
    throw error;
  }
}
