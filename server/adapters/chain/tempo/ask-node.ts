import type { z } from "zod";
import type { EvmBlock } from "#domain/evm-chain.ts";
import { Block } from "#server/adapters/chain/evm/node-answers.ts";
import { isRevert, type JsonRpc, RpcFault } from "#server/adapters/chain/json-rpc.ts";
import { Rejected, Unreachable } from "#server/ports.ts";

/** What all nodes of a network have in common. */
export type TempoRules = {
  chainId: number;
  /** Blocks, its own included, until a block is final. */
  confirmations: number;
  /** The token that fees are paid in, and every token that is paid. */
  feeToken: string;
  tokens: readonly string[];
  /** How long bytes are valid. The network bounds it, and may change that bound. */
  validForSeconds: number;
};

/** Asks what anybody may ask. */
export const NOBODY = `0x${"0".repeat(40)}`;
/** The call of a token that answers with a balance. */
export const BALANCE_OF = "0x70a08231";

/** An answer to a question. @throws RpcFault for a revert, Rejected for another refusal */
export async function ask<Answer>(rpc: JsonRpc, answer: z.ZodType<Answer>, method: string, ...params: unknown[]): Promise<Answer> {
  try {
    const read = answer.safeParse(await rpc.call(method, params));
    if (read.success) return read.data;
    throw new Unreachable(`${rpc.name} answered ${method} with something else`);
  } catch (error) {
    if (error instanceof RpcFault && !isRevert(error)) throw new Rejected(`${rpc.name} refused ${method}: ${error.message}`);
    throw error;
  }
}

export const hexOf = (height: number) => `0x${height.toString(16)}`;

export async function blockAt(rpc: JsonRpc, height: number | "latest"): Promise<EvmBlock> {
  const block = await ask(rpc, Block.nullable(), "eth_getBlockByNumber", height === "latest" ? height : hexOf(height), false);
  if (block === null) throw new Unreachable(`${rpc.name} has no block ${height}`);
  return block;
}
