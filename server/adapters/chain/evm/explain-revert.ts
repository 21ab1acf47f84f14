import { type EvmIntent, TRANSFER_SELECTOR } from "#domain/evm-intent.ts";
import { explainCallRevert } from "#server/adapters/chain/evm/safe/explain-call-revert.ts";
import { isRevert, type JsonRpc, RpcFault } from "#server/adapters/chain/json-rpc.ts";
import type { EvmRevert } from "#server/ports.ts";
import { callOf } from "./call-of.ts";
import { explainRevert, TREASURY_BLOCKED } from "./revert-reason.ts";

/** Why an intent that was played was reverted, in plain words. */
export async function explainRevertOf(rpc: JsonRpc, sender: string, intent: EvmIntent, fault: RpcFault, at: string): Promise<EvmRevert> {
  return isCall(intent) ? await explainCallRevert(rpc, intent, fault, at) : await explainPayment(rpc, sender, intent, fault);
}

/** Why a plain payment was reverted. A recipient's own words count for nothing: only a configured token's do. */
async function explainPayment(rpc: JsonRpc, sender: string, intent: EvmIntent, fault: RpcFault): Promise<EvmRevert> {
  if (intent.data === "0x") return { reason: "The recipient is a contract that does not accept the payment.", treasury: false };
  const { reason, treasury, blocked } = explainRevert(fault, sender);
  if (blocked && !treasury && (await isBlocked(rpc, sender, intent))) return { reason: TREASURY_BLOCKED, treasury: true };
  return { reason, treasury };
}

/** Neither a payment of the native coin nor one of a token. */
function isCall({ data }: EvmIntent): boolean {
  return data !== "0x" && !data.startsWith(TRANSFER_SELECTOR);
}

/** Many tokens do not say whom they block: the sender is, when they also refuse what it sends to itself. */
async function isBlocked(rpc: JsonRpc, sender: string, intent: EvmIntent): Promise<boolean> {
  if (!intent.data.startsWith(TRANSFER_SELECTOR)) return false;
  const data = `${TRANSFER_SELECTOR}${sender.slice(2).toLowerCase().padStart(64, "0")}${"0".repeat(64)}`;
  try {
    await rpc.call("eth_call", [callOf(sender, { ...intent, data }), "latest"]);
    return false;
  } catch (error) {
    if (error instanceof RpcFault && isRevert(error)) return explainRevert(error, sender).blocked;
    throw error;
  }
}
