import { getContractAddress } from "viem";
import type { TestChain } from "./chain.ts";

/** Who made the test tokens, and may make more. */
const PERSON = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const GAS = "0x7a120";

/** A person pays test tokens, `times` over in one transaction, from a wallet that is not ours. Returns its hash, in a block. */
export async function payByHand(chain: TestChain, recipient: string, amountBase: bigint, times = 1): Promise<string> {
  const send = (what: object) => chain.call("eth_sendTransaction", { from: PERSON, gas: GAS, ...what });
  const nonce = BigInt(String(await chain.call("eth_getTransactionCount", PERSON, "pending")));
  const payer = getContractAddress({ from: PERSON, nonce: nonce + 1n });
  await send({ to: chain.tokens.USDT, data: `0x40c10f19${words(payer, amountBase * BigInt(times))}` });
  const hash = await send({ data: payingCode(chain.tokens.USDT, `a9059cbb${words(recipient, amountBase)}`, times) });
  await chain.mine();
  return String(hash);
}

function words(address: string, amount: bigint): string {
  return `${address.slice(2).toLowerCase().padStart(64, "0")}${amount.toString(16).padStart(64, "0")}`;
}

/** Code that runs once, at its creation, and calls the token this many times with the same data. */
function payingCode(token: string, data: string, times: number): string {
  const call = `5f5f60445f5f73${token.slice(2).toLowerCase()}5af150`;
  const length = 8 + (call.length / 2) * times;
  return `0x604461${length.toString(16).padStart(4, "0")}5f39${call.repeat(times)}00${data}`;
}
