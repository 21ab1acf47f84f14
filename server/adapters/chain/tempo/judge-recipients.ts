import { type Address, encodeFunctionData, type Hex } from "viem";
import { Abis, Addresses } from "viem/tempo";
import { Hexadecimal, quantity } from "#server/adapters/chain/evm/node-answers.ts";
import { type JsonRpc, RpcFault } from "#server/adapters/chain/json-rpc.ts";
import { ask, NOBODY } from "./ask-node.ts";
import { explainRevert } from "./explain-revert.ts";
import { callOf } from "./payment-bytes.ts";
import { FEE_MANAGER } from "./read-end.ts";

/** Why the network would let none of these recipients have the token; null for those that may. @throws Unreachable */
export async function judgeRecipients(rpc: JsonRpc, recipients: readonly string[], token: string | null): Promise<(string | null)[]> {
  if (token === null) return recipients.map(() => null);
  return await Promise.all(recipients.map((recipient) => judge(rpc, recipient, token)));
}

/** Played as a transfer of nothing from nobody, which moves where the token itself does not refuse the recipient. */
async function judge(rpc: JsonRpc, recipient: string, token: string): Promise<string | null> {
  if (recipient.toLowerCase() === FEE_MANAGER) return "The recipient takes the network's fees: the funds would be lost.";
  const call = callOf({ recipient, token, amountBase: 0n, reference: "asked" });
  const data = await ask(rpc, Hexadecimal, "eth_call", { from: NOBODY, ...call }, "latest").then(
    () => null,
    (error: unknown) => {
      if (error instanceof RpcFault) return error.data;
      throw error;
    },
  );
  const { outcome, reason } = data === null ? { outcome: "treasury", reason: "" } : explainRevert(data);
  if (outcome === "refused") return reason;
  return outcome === "policy" && !(await mayReceive(rpc, recipient, token)) ? reason : null;
}

/** By the policy of the token (TIP-403), which may forbid nobody as a sender. True where the network does not say. */
async function mayReceive(rpc: JsonRpc, recipient: string, token: string): Promise<boolean> {
  const policyCall = encodeFunctionData({ abi: Abis.tip20, functionName: "transferPolicyId" });
  try {
    const policy = await ask(rpc, quantity, "eth_call", { to: token as Hex, data: policyCall }, "latest");
    const args = [policy, recipient.toLowerCase() as Address] as const;
    const data = encodeFunctionData({ abi: Abis.tip403Registry, functionName: "isAuthorizedRecipient", args });
    return (await ask(rpc, quantity, "eth_call", { to: Addresses.tip403Registry, data }, "latest")) === 1n;
  } catch (error) {
    if (error instanceof RpcFault) return true;
    throw error;
  }
}
