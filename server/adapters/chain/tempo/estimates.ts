import { z } from "zod";
import type { LapsingIntent } from "#domain/lapsing-chain.ts";
import { quantity } from "#server/adapters/chain/evm/node-answers.ts";
import { type JsonRpc, RpcFault } from "#server/adapters/chain/json-rpc.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { ask, BALANCE_OF, blockAt, hexOf, NOBODY, type TempoRules } from "./ask-node.ts";
import { callOf } from "./payment-bytes.ts";

const FeeHistory = z.object({ baseFeePerGas: z.array(quantity) });
/** No settings may say less. */
const SHORTEST_SECONDS = 5;
/** Where a trial fails, its gas is unknown; the trial then says why. */
const GAS_OF_A_FAILURE = 1_000_000n;
/** The nonce key of payments that expire, as JSON-RPC writes it. */
const EXPIRING = `0x${"f".repeat(64)}`;

/** With the nonce that the payment will have: with a usual one, the first payment of a wallet takes twice as much. */
export async function estimate(
  rpc: JsonRpc,
  { feeToken }: TempoRules,
  call: { to: string; data: string },
  { sender, validBefore }: { sender: string; validBefore: number },
): Promise<bigint> {
  const terms = { nonceKey: EXPIRING, nonce: "0x0", validBefore: hexOf(validBefore), feeToken };
  return await ask(rpc, quantity, "eth_estimateGas", { from: sender, ...call, ...terms });
}

/** A quarter more than the estimate. @throws Rejected where the network would include nothing that is valid for so long */
export async function gasOf(rpc: JsonRpc, rules: TempoRules, intent: LapsingIntent, validBefore: number): Promise<bigint> {
  try {
    const gas = await estimate(rpc, rules, callOf(intent), { sender: intent.sender, validBefore });
    return gas + gas / 4n;
  } catch (error) {
    if (error instanceof RpcFault) return GAS_OF_A_FAILURE;
    if (!(error instanceof Rejected)) throw error;
    const fault = await windowFault(rpc, rules);
    throw fault === null ? error : new Rejected(fault);
  }
}

/** What the next block asks for a unit of gas. */
export async function nextBaseFee(rpc: JsonRpc): Promise<bigint> {
  const { baseFeePerGas } = await ask(rpc, FeeHistory, "eth_feeHistory", "0x1", "latest", []);
  const next = baseFeePerGas.at(-1);
  if (next === undefined) throw new Unreachable(`${rpc.name} does not say what the next block asks`);
  return next;
}

/**
 * Why the network would include nothing that is valid for as long as the settings say; null: it would, or does not say. No call answers with
 * the window, so it is found by what an estimate accepts.
 */
export async function windowFault(rpc: JsonRpc, rules: TempoRules): Promise<string | null> {
  const { at } = await blockAt(rpc, "latest");
  const call = { to: rules.feeToken, data: `${BALANCE_OF}${"0".repeat(64)}` };
  const accepts = async (seconds: number) => {
    try {
      await estimate(rpc, rules, call, { sender: NOBODY, validBefore: at.getTime() / 1_000 + seconds });
      return true;
    } catch (error) {
      if (error instanceof Rejected || error instanceof RpcFault) return false;
      throw error;
    }
  };
  let [accepted, refused] = [SHORTEST_SECONDS, rules.validForSeconds];
  if ((await accepts(refused)) || !(await accepts(accepted))) return null;
  while (refused - accepted > 1) {
    const middle = Math.floor((accepted + refused) / 2);
    if (await accepts(middle)) accepted = middle;
    else refused = middle;
  }
  return `${rpc.name} accepts payments that are valid for ${accepted} seconds at most, not for ${rules.validForSeconds}: lower valid_for_seconds`;
}
