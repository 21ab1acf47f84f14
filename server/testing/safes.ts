import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from "viem";
import type { TestChain } from "./chain.ts";

const ADMIN = parseAbi(["function enableModule(address module)", "function setGuard(address guard)"]);

/** A guard that says yes to everything: `supportsInterface` answers true, and so does whatever else it is asked. */
const PERMISSIVE = "0x600160005260206000f3";

/** Has a Safe change itself, without its owners: enable modules, and take a guard. Answers the guard's address. */
export async function asSafe(chain: TestChain, safe: Address, change: { modules?: readonly Address[]; guard?: boolean }): Promise<Address> {
  const guard = getAddress(`0x${safe.slice(2, 34)}deadbeef`);
  await chain.call("anvil_setCode", guard, PERMISSIVE);
  await chain.call("anvil_impersonateAccount", safe);
  await chain.call("anvil_setBalance", safe, "0xde0b6b3a7640000");
  const data: Hex[] = (change.modules ?? []).map((module) =>
    encodeFunctionData({ abi: ADMIN, functionName: "enableModule", args: [module] }),
  );
  if (change.guard) data.push(encodeFunctionData({ abi: ADMIN, functionName: "setGuard", args: [guard] }));
  for (const call of data) await chain.call("eth_sendTransaction", { from: safe, to: safe, data: call, gas: "0x7a120" });
  await chain.mine();
  await chain.call("anvil_stopImpersonatingAccount", safe);
  await chain.call("anvil_setBalance", safe, "0x0");
  return guard;
}
