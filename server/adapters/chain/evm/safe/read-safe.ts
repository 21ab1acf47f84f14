import { type Address, createPublicClient, custom, getAddress, type Hex, isHex, zeroAddress } from "viem";
import { type SafeInfo, SENTINEL_ADDRESS } from "#domain/safe.ts";
import { type JsonRpc, RpcFault } from "#server/adapters/chain/json-rpc.ts";
import { EvmRejected, Unreachable } from "#server/ports.ts";
import { SAFE_ABI } from "./abi.ts";

const SENTINEL = getAddress(SENTINEL_ADDRESS);
/** Slots that are fixed by the contracts: the singleton's, and the keccak256 of the two names. */
const MASTER_COPY_SLOT = 0n;
const HANDLER_SLOT = 0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5n;
const GUARD_SLOT = 0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8n;

const MODULES_A_PAGE = 50n;
/** A contract that only pretends to be a Safe may have modules without end. */
const MOST_PAGES = 20;

/**
 * Everything about a Safe at one block, in one call: the node runs a multicall that is not deployed anywhere. Only more than {@link
 * MODULES_A_PAGE} modules take further calls. Null when the contract at the address does not answer like a Safe.
 *
 * @throws Unreachable, EvmRejected
 */
export async function readSafe(rpc: JsonRpc, address: string, height: number): Promise<SafeInfo | null> {
  const safe = getAddress(address);
  const { client, refuseTrouble } = connect(rpc);
  const read = { abi: SAFE_ABI, address: safe } as const;
  const blockNumber = BigInt(height);
  const answers = await client.multicall({
    deployless: true,
    blockNumber,
    contracts: [
      { ...read, functionName: "VERSION" },
      { ...read, functionName: "getOwners" },
      { ...read, functionName: "getThreshold" },
      { ...read, functionName: "nonce" },
      { ...read, functionName: "getModulesPaginated", args: [SENTINEL, MODULES_A_PAGE] },
      { ...read, functionName: "getStorageAt", args: [MASTER_COPY_SLOT, 1n] },
      { ...read, functionName: "getStorageAt", args: [HANDLER_SLOT, 1n] },
      { ...read, functionName: "getStorageAt", args: [GUARD_SLOT, 1n] },
    ],
  });
  refuseTrouble();
  const [version, owners, threshold, nonce, modules, masterCopy, handler, guard] = answers.map(({ result }) => result ?? null) as Results<
    typeof answers
  >;
  if (version === null || owners === null || threshold === null || nonce === null || modules === null) return null;
  const places = [addressIn(masterCopy), addressIn(handler), addressIn(guard)] as const;
  const [masterCopyAddress, fallbackHandler, guardAddress] = places;
  if (masterCopyAddress === null || masterCopyAddress === zeroAddress || fallbackHandler === null || guardAddress === null) return null;
  if (owners.length === 0 || threshold < 1n || threshold > BigInt(owners.length) || nonce > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  return {
    address: safe,
    fallbackHandler,
    guard: guardAddress,
    masterCopy: masterCopyAddress,
    modules: await readModules(modules[0]),
    nonce: Number(nonce),
    owners,
    threshold: Number(threshold),
    version: version.slice(0, 32),
  };

  /** Each page starts after the last module seen: the `next` that 1.3.0 returns would be skipped. */
  async function readModules(first: readonly Address[]): Promise<Address[]> {
    const all = [...first];
    let page = first;
    for (let pages = 1; BigInt(page.length) === MODULES_A_PAGE && pages < MOST_PAGES; pages += 1) {
      const start = page.at(-1) ?? SENTINEL;
      const answer = await client
        .readContract({ ...read, functionName: "getModulesPaginated", args: [start, MODULES_A_PAGE], blockNumber })
        .catch(() => null);
      refuseTrouble();
      page = answer?.[0] ?? [];
      all.push(...page);
    }
    return all;
  }
}

type Results<Answers extends readonly { result?: unknown }[]> = {
  [Index in keyof Answers]: Exclude<Answers[Index]["result"], undefined> | null;
};

/** viem's client over our own JSON-RPC. It mistakes a dead node for a contract without an answer; `refuseTrouble` distinguishes the two. */
function connect(rpc: JsonRpc) {
  let trouble: unknown = null;
  const transport = custom(
    {
      request: async ({ method, params }: { method: string; params?: readonly unknown[] }) => {
        try {
          return await rpc.call(method, params ?? []);
        } catch (error) {
          if (!(error instanceof RpcFault)) trouble ??= error;
          else if (!/revert/i.test(error.message)) trouble ??= new EvmRejected("other", `${rpc.name} refused ${method}: ${error.message}`);
          throw error;
        }
      },
    },
    { retryCount: 0 },
  );
  const refuseTrouble = () => {
    if (trouble instanceof Error) throw trouble;
    if (trouble !== null) throw new Unreachable(`${rpc.name} could not be asked`);
  };
  return { client: createPublicClient({ transport }), refuseTrouble };
}

/** The address in a storage word; null when there is none. */
function addressIn(word: Hex | null): Address | null {
  if (word === null || !isHex(word) || !/^0x0{24}[0-9a-f]{40}$/i.test(word)) return null;
  return getAddress(`0x${word.slice(26)}`);
}
