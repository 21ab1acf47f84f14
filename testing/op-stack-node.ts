import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestChain } from "./chain.ts";

/**
 * A chain of the OP Stack on anvil, completed where anvil leaves something out: anvil charges the fee for a transaction's data by the values of
 * the L1Block contract, but has no contract that names it ahead and no `l1Fee` in its receipts.
 */
export type OpStackNode = {
  /** The node with complete receipts. What is sent through it has a block of its own. */
  url: string;
  /** The price of the chain below, in wei for one unit of gas: the fee for data is in proportion to it. */
  setPrice(wei: bigint): Promise<void>;
  /** All that the chain has taken for data. */
  taken(): Promise<bigint>;
  stop(): Promise<void>;
};

const L1_BLOCK = "0x4200000000000000000000000000000000000015";
const ORACLE = "0x420000000000000000000000000000000000000F";
/** What the fees for data are paid to. */
const L1_FEE_VAULT = "0x420000000000000000000000000000000000001A";
/** Slots of L1Block: the base fee of the chain below, the scalars, the base fee of its blobs. */
const [BASE_FEE, SCALARS, BLOB_BASE_FEE] = [1n, 3n, 7n];
const [BASE_FEE_SCALAR, BLOB_BASE_FEE_SCALAR] = [5_227n, 1_014_213n];
/** `return sload(0)`, and 0 where it is asked for the operator's fee (0x275aedd2). */
const ORACLE_CODE = "0x5f3560e01c63275aedd214155f54025f5260205ff3";
/** What a payment has at most, as the service asks. */
const BYTES = 256n;

/** A payment that cannot be in the next block is left in the pool. */
const MINED_WITHIN_TRIES = 50;

const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;

type Call = { id: number; method: string; params: unknown[] };
type Reply = { id: number; result?: unknown; error?: unknown };
type Receipt = { blockNumber: string; transactionHash: string };

/** Makes an OP Stack chain out of that anvil, which must run with its rules (`CHAIN_ENGINE=optimism`). */
export async function startOpStackNode(chain: TestChain): Promise<OpStackNode> {
  const set = (contract: string, slot: bigint, value: bigint) => chain.call("anvil_setStorageAt", contract, word(slot), word(value));
  const balanceOfVault = async (height: bigint | "latest") =>
    BigInt(String(await chain.call("eth_getBalance", L1_FEE_VAULT, height === "latest" ? height : `0x${height.toString(16)}`)));
  const feeOf = async ({ blockNumber }: Receipt) =>
    (await balanceOfVault(BigInt(blockNumber))) - (await balanceOfVault(BigInt(blockNumber) - 1n));
  const completed = async (receipt: Receipt) => ({ ...receipt, l1Fee: `0x${(await feeOf(receipt)).toString(16)}` });
  let sending: Promise<unknown> = Promise.resolve();
  /** One after the other, so that each is alone in its block and the vault shows its fee. */
  const send = (call: Call): Promise<Reply> => {
    const sent = sending.then(async () => {
      const reply = await askOne(chain.rpcUrl, call);
      for (let tries = 0; typeof reply.result === "string" && tries < MINED_WITHIN_TRIES; tries += 1) {
        if ((await chain.call("eth_getTransactionReceipt", reply.result)) !== null) break;
      }
      return reply;
    });
    sending = sent.catch(() => {});
    return sent;
  };
  const answered = async (call: Call): Promise<Reply> => {
    const { method } = call;
    const reply = method === "eth_sendRawTransaction" ? await send(call) : await askOne(chain.rpcUrl, call);
    if (reply.result == null) return reply;
    if (method === "eth_getTransactionReceipt") return { ...reply, result: await completed(reply.result as Receipt) };
    if (method === "eth_getBlockReceipts") return { ...reply, result: await Promise.all((reply.result as Receipt[]).map(completed)) };
    return reply;
  };
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Call | Call[];
    const answer = Array.isArray(asked) ? await Promise.all(asked.map(answered)) : await answered(asked);
    outgoing.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  });
  await chain.call("anvil_setCode", ORACLE, ORACLE_CODE);
  await set(L1_BLOCK, SCALARS, ((BASE_FEE_SCALAR << 32n) | BLOB_BASE_FEE_SCALAR) << 64n);
  await set(L1_BLOCK, BLOB_BASE_FEE, 1n);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async setPrice(wei) {
      await set(L1_BLOCK, BASE_FEE, wei);
      await set(ORACLE, 0n, upperBound(wei));
    },
    taken: () => balanceOfVault("latest"),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The fee of Fjord for data that cannot be compressed. */
function upperBound(baseFee: bigint): bigint {
  const compressed = BYTES + 68n + (BYTES + 68n) / 255n + 16n;
  const estimated = 836_500n * compressed - 42_585_600n;
  return (estimated * (16n * baseFee * BASE_FEE_SCALAR + BLOB_BASE_FEE_SCALAR)) / 1_000_000_000_000n;
}

async function askOne(url: string, { id, method, params }: Call): Promise<Reply> {
  const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
  const reply = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  return (await reply.json()) as Reply;
}
