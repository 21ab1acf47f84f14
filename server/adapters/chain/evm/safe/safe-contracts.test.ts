import { decodeFunctionData, getAddress, getContractAddress, keccak256, zeroAddress, zeroHash } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createdAddress } from "#domain/contract-address.ts";
import { SAFE_CONTRACTS, SAFE_VERSIONS } from "#domain/safe.ts";
import { deploySafeContracts, ensureSafe } from "#sandbox/chain/safes.ts";
import { evmNode } from "#server/adapters/chain/evm/node.ts";
import { type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { asSafe } from "#testing/safes.ts";
import { newAddress } from "#testing/transfers.ts";
import { SAFE_ABI } from "./abi.ts";
import { codeHashOf, creationCodeOf } from "./canonical.ts";
import { safeContracts } from "./safe-contracts.ts";

let chain: TestChain;
let node: EvmNode;
const proxies: RpcProxy[] = [];

beforeAll(async () => {
  chain = await startTestChain();
  node = evmNode(chain.rpcUrl);
  await deploySafeContracts(chain.rpcUrl);
});
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await chain.stop();
});

/** Every release and contract. */
const ALL = SAFE_VERSIONS.flatMap((version) => SAFE_CONTRACTS.map((contract) => ({ version, contract })));

describe("the canonical contracts", () => {
  for (const { version, contract } of ALL) {
    it(`${contract} ${version} comes to its published addresses and leaves the published code`, async () => {
      const bytecode = await creationCodeOf(contract, version);
      for (const { deployer, address } of safeContracts.homes(contract, version)) {
        expect(getContractAddress({ opcode: "CREATE2", from: getAddress(deployer), salt: zeroHash, bytecode })).toBe(address);
      }
      const [home] = safeContracts.homes(contract, version);
      const code = await node.code(home?.address ?? "");
      expect(keccak256(`0x${code.slice(2)}`)).toBe(codeHashOf(contract, version));
      expect(safeContracts.recognise(code)).toEqual({ version, contract });
    });
  }

  it("are not taken for what they are when one byte differs", async () => {
    const code = await node.code(safeContracts.homes("master_copy", "1.4.1")[0]?.address ?? "");
    expect(safeContracts.recognise(`${code.slice(0, -2)}00`)).toBeNull();
    expect(safeContracts.recognise("0x")).toBeNull();
  });

  it("are created at the address that sender and nonce decide", () => {
    const from = newAddress();
    for (const nonce of [0, 1, 127, 128, 255, 256, 65_535, 65_536, 2 ** 40]) {
      expect(createdAddress(from, nonce)).toBe(getContractAddress({ from, nonce: BigInt(nonce) }));
    }
  });
});

describe("a Safe", () => {
  for (const version of SAFE_VERSIONS) {
    it(`of ${version} is read whole, in one call, as it is on the chain`, async () => {
      const owners = [newAddress(), newAddress(), newAddress()];
      const safe = await ensureSafe(chain.rpcUrl, { version, owners, threshold: 2, saltNonce: 7n });
      const proxy = await startRpcProxy(chain.rpcUrl);
      proxies.push(proxy);
      const info = await evmNode(proxy.url).safe(safe.toLowerCase());
      expect(info).toEqual({
        address: safe,
        fallbackHandler: safeContracts.homes("fallback_handler", version)[0]?.address,
        guard: zeroAddress,
        masterCopy: safeContracts.homes("master_copy", version)[0]?.address,
        modules: [],
        nonce: 0,
        owners,
        threshold: 2,
        version,
      });
      expect(proxy.calls).toEqual(["eth_getBlockByNumber", "eth_call"]);
      expect(safeContracts.recognise(await node.code(safe))).toEqual({ version, contract: "proxy" });
    });

    it(`of ${version} is read with its guard and with more modules than a page holds`, async () => {
      const safe = await ensureSafe(chain.rpcUrl, { version, owners: [newAddress()], threshold: 1, saltNonce: 8n });
      const modules = Array.from({ length: 113 }, newAddress);
      const guard = await asSafe(chain, safe, { modules, guard: true });
      const info = await node.safe(safe);
      expect(info?.guard).toBe(guard);
      expect(info?.modules.toSorted()).toEqual(modules.toSorted());
    });
  }

  it("comes to the address that was foretold, which its owners and salt decide", async () => {
    const owner = newAddress();
    const one = await ensureSafe(chain.rpcUrl, { version: "1.4.1", owners: [owner], threshold: 1, saltNonce: 1n });
    const again = await ensureSafe(chain.rpcUrl, { version: "1.4.1", owners: [owner], threshold: 1, saltNonce: 1n });
    const other = await ensureSafe(chain.rpcUrl, { version: "1.4.1", owners: [owner], threshold: 1, saltNonce: 2n });
    expect(again).toBe(one);
    expect(other).not.toBe(one);
    expect(await node.safe(other)).toMatchObject({ address: other, owners: [owner] });
  });

  it("is not seen where there is none: an unused address, a token, a master copy that was never set up", async () => {
    expect(await node.safe(newAddress())).toBeNull();
    expect(await node.safe(chain.tokens.USDT)).toBeNull();
    expect(await node.safe(safeContracts.homes("proxy_factory", "1.4.1")[0]?.address ?? "")).toBeNull();
    expect(await node.safe(safeContracts.homes("master_copy", "1.4.1")[0]?.address ?? "")).toBeNull();
  });

  it("is not denied by a node that does not answer or does not know how", async () => {
    const safe = await ensureSafe(chain.rpcUrl, { version: "1.4.1", owners: [newAddress()], threshold: 1, saltNonce: 3n });
    const dead = await startRpcProxy(chain.rpcUrl, (method) => (method === "eth_call" ? "refuse" : "pass"));
    const ignorant = await startRpcProxy(chain.rpcUrl, (method) =>
      method === "eth_call" ? { error: { code: -32602, message: "missing field to" } } : "pass",
    );
    proxies.push(dead, ignorant);
    await expect(evmNode(dead.url).safe(safe)).rejects.toBeInstanceOf(Unreachable);
    await expect(evmNode(ignorant.url).safe(safe)).rejects.toBeInstanceOf(EvmRejected);
  });
});

describe("an order to a Safe", () => {
  it("carries the call as it is, pays no refund, and names the owner as sender in the signature's place", async () => {
    const [safe, owner, to] = [newAddress(), newAddress(), newAddress()];
    const { data, ...call } = await safeContracts.execute({ safe, owner, call: { to, valueBase: 5n, data: "0xa9059cbb" } });
    expect(call).toEqual({ to: safe, valueBase: 0n });
    expect(decodeFunctionData({ abi: SAFE_ABI, data: `0x${data.slice(2)}` })).toEqual({
      functionName: "execTransaction",
      args: [
        to,
        5n,
        "0xa9059cbb",
        0,
        0n,
        0n,
        0n,
        zeroAddress,
        zeroAddress,
        `0x${owner.slice(2).toLowerCase().padStart(64, "0")}${"0".repeat(64)}01`,
      ],
    });
  });
});
