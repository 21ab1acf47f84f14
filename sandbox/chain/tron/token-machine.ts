import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { callNode } from "#sandbox/chain/rpc.ts";

/** What a call used and did. `energy` is the machine's own count, without what Ethereum charges for the transaction itself. */
export type Executed = { result: "SUCCESS" | "REVERT" | "OUT_OF_ENERGY"; energy: bigint; returned: string; logs: readonly TokenLog[] };
export type TokenLog = { address: string; topics: readonly string[]; data: string };
export type Call = { owner: `0x${string}`; contract: `0x${string}`; data: `0x${string}` };

const Receipt = z.object({
  status: z.string(),
  gasUsed: z.string(),
  logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
});
const hex = (value: bigint) => `0x${value.toString(16)}`;

/** An EVM (a development node) in the role of Tron's virtual machine: it has the token contracts and nothing else of Tron. */
export function tokenMachine(evmUrl: string) {
  const rpc = (method: string, ...params: unknown[]) => callNode(evmUrl, method, params);

  /** Plays a call without effect. Null energy limit: as much as it takes. */
  async function play(call: Call): Promise<Executed> {
    const request = { from: call.owner, to: call.contract, data: call.data };
    try {
      const returned = z.string().parse(await rpc("eth_call", request, "latest"));
      const gas = BigInt(z.string().parse(await rpc("eth_estimateGas", request, "latest")));
      return { result: "SUCCESS", energy: gas - intrinsicGas(call.data), returned, logs: [] };
    } catch (error) {
      if (!/revert/i.test(String(error))) throw error;
      return { result: "REVERT", energy: 0n, returned: await revertData(request), logs: [] };
    }
  }

  /** Executes a call within an energy limit, in a block of its own. */
  async function execute(call: Call, energyLimit: bigint): Promise<Executed> {
    await rpc("anvil_setBalance", call.owner, hex(10n ** 24n));
    await rpc("anvil_impersonateAccount", call.owner);
    const gas = intrinsicGas(call.data) + energyLimit;
    const request = { from: call.owner, to: call.contract, data: call.data, gas: hex(gas) };
    const hash = await rpc("eth_sendTransaction", request);
    const { status, gasUsed, logs } = await receiptOf(hash);
    const energy = BigInt(gasUsed) - intrinsicGas(call.data);
    if (status === "0x1") return { result: "SUCCESS", energy, returned: "", logs };
    // What ran out has used all of it; what was reverted has some left.
    if (energy >= energyLimit) return { result: "OUT_OF_ENERGY", energy: energyLimit, returned: "", logs: [] };
    return { result: "REVERT", energy, returned: await revertData({ from: call.owner, to: call.contract, data: call.data }), logs: [] };
  }

  /** The node mines at once, and answers a little before it has. */
  async function receiptOf(hash: unknown): Promise<z.infer<typeof Receipt>> {
    for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(5)) {
      const receipt = await rpc("eth_getTransactionReceipt", hash);
      if (receipt !== null) return Receipt.parse(receipt);
    }
    throw new Error(`the EVM did not mine ${hash}`);
  }

  async function revertData(request: object): Promise<string> {
    const response = await fetch(evmUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_call", params: [request, "latest"] }),
    });
    const Faulty = z.object({ error: z.object({ data: z.string().optional() }).optional() });
    return Faulty.parse(await response.json()).error?.data ?? "0x";
  }

  return {
    play,
    execute,
    isContract: async (address: string) => (await rpc("eth_getCode", address, "latest")) !== "0x",
    snapshot: () => rpc("evm_snapshot"),
    revertTo: (snapshot: unknown) => rpc("evm_revert", snapshot),
  };
}

/** What Ethereum charges for a transaction before its first instruction. Tron charges for the bytes in bandwidth, not in energy. */
function intrinsicGas(data: string): bigint {
  const bytes = Buffer.from(data.slice(2), "hex");
  return bytes.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 21_000n);
}
