import { z } from "zod";
import { callNode } from "#sandbox/chain/rpc.ts";

const hex = z.string().regex(/^0x[0-9a-f]*$/);
const receipt = z.object({
  status: hex,
  to: z.string().nullable(),
  blockNumber: hex,
  gasUsed: hex,
  logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
});
export type Receipt = z.infer<typeof receipt>;

const BALANCE_OF = "0x70a08231";
/** keccak-256 of `Transfer(address,address,uint256)`. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const padded = (address: string) => address.slice(2).toLowerCase().padStart(64, "0");

/** The wallet's balance of an ERC-20 token in base units, as the chain says it now. */
export async function tokenBalance(rpcUrl: string, token: string, wallet: string): Promise<bigint> {
  const data = `${BALANCE_OF}${padded(wallet)}`;
  return BigInt(hex.parse(await callNode(rpcUrl, "eth_call", [{ to: token, data }, "latest"])));
}

export async function readReceipt(rpcUrl: string, txHash: string): Promise<Receipt | null> {
  return receipt.nullable().parse(await callNode(rpcUrl, "eth_getTransactionReceipt", [txHash]));
}

/** Base units that a receipt moved of `token` to `wallet`. */
export function movedTo(receipt: Receipt, token: string, wallet: string): bigint {
  return receipt.logs
    .filter((log) => log.address.toLowerCase() === token.toLowerCase() && log.topics[0] === TRANSFER)
    .filter((log) => log.topics[2]?.slice(-40) === padded(wallet).slice(-40))
    .reduce((sum, log) => sum + BigInt(log.data), 0n);
}
