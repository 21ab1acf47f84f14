import { fileURLToPath } from "node:url";
import { type Address, encodeDeployData, type Hex, parseAbi, toHex } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type EvmIntent, tokenTransfer } from "#domain/evm-intent.ts";
import { judgeMembers, type PackedMember, packedCall } from "#domain/packed-transfers.ts";
import { bytecodeOf } from "#sandbox/chain/compile.ts";
import { deploy } from "#sandbox/chain/tokens.ts";
import { evmNode } from "#server/adapters/chain/evm/node.ts";
import type { EvmNode } from "#server/ports.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { newAddress } from "#testing/transfers.ts";
import { deployPackingContract, findPackingContract } from "./deploy-packing-contract.ts";
import { isPackingContract, PACKING_CONTRACT } from "./packing-contract.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const ODD = parseAbi(["constructor(uint8 answer, address oddRecipient)", "function mint(address wallet, uint256 amount)"]);
/** Published with every development node, which funds it. */
const FUNDED = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
const AMOUNT = 5_000_000n;
const ENDLESS = 2n ** 256n - 1n;

let chain: TestChain;
let node: EvmNode;
let contract: Address;
let wallet: Address;
let USDT: Address;

beforeAll(async () => {
  chain = await startTestChain();
  node = evmNode(chain.rpcUrl);
  USDT = chain.tokens.USDT;
  expect(await findPackingContract(chain.rpcUrl)).toBe("missing");
  await deployPackingContract(chain.rpcUrl, FUNDED);
  contract = PACKING_CONTRACT.address as Address;
  wallet = await newWallet();
  await chain.call("anvil_setBalance", wallet, "0x3635c9adc5dea00000");
});
afterAll(() => chain.stop());

it("is what its source compiles to, at its own address, and is not taken for it when one byte differs", async () => {
  expect(bytecodeOf("PackedTransfers.sol", "PackedTransfers", FOLDER)).toBe(PACKING_CONTRACT.creationCode);
  expect(await deploy(chain.rpcUrl, PACKING_CONTRACT.creationCode as Hex)).toBe(contract);
  expect(await deployPackingContract(chain.rpcUrl, FUNDED)).toBeNull();
  expect(await findPackingContract(chain.rpcUrl)).toBe("there");
  const code = await node.code(contract);
  expect(isPackingContract(code)).toBe(true);
  expect(isPackingContract(`${code.slice(0, -2)}00`)).toBe(false);
  expect(isPackingContract("0x")).toBe(false);
  await chain.call("anvil_setCode", contract, `${code.slice(0, -2)}00`);
  expect(await findPackingContract(chain.rpcUrl)).toBe("other code");
  await expect(deployPackingContract(chain.rpcUrl, FUNDED)).rejects.toThrow("do not turn packing on");
  await chain.call("anvil_setCode", contract, code);
});

it("pays 20 fresh recipients for 40 % less gas than 20 transfers, and 20 holders for 60 % less", async () => {
  const fresh = Array.from({ length: 20 }, () => payment());
  const others = fresh.map(() => payment());
  const single = async (members: readonly PackedMember[]) => {
    let gas = 0n;
    for (const { recipient, amountBase } of members) gas += (await send(tokenTransfer(USDT, recipient, amountBase))).gasUsed;
    return Number(gas);
  };
  const packed = async (members: readonly PackedMember[]) => Number((await pay(members)).gasUsed);
  const [freshGas, holdersGas] = [await packed(fresh), await packed(fresh)];
  expect(await balances(fresh)).toEqual(fresh.map(() => 2n * AMOUNT));
  expect(1 - freshGas / (await single(others))).toBeGreaterThanOrEqual(0.4);
  expect(1 - holdersGas / (await single(others))).toBeGreaterThanOrEqual(0.6);
});

it("pays the others where the token refuses one, and names it", async () => {
  const members = [payment(), { recipient: chain.blockedWallet, amountBase: AMOUNT }, payment()];
  const before = await balanceOf(wallet);
  const receipt = await pay(members);
  expect(await balances(members)).toEqual([AMOUNT, 0n, AMOUNT]);
  expect(await balanceOf(wallet)).toBe(before - 2n * AMOUNT);
  expect(await balanceOf(contract)).toBe(0n);
  expect(judgeMembers(receipt.logs, members, { contract, token: USDT, wallet })).toEqual([
    { outcome: "paid", place: 0 },
    { outcome: "refused" },
    { outcome: "paid", place: 2 },
  ]);
});

it("refuses members that the wallet holds too little for, and pays those before", async () => {
  const poor = await newWallet(2n * AMOUNT);
  const members = [payment(), payment(), payment()];
  const receipt = await pay(members, { from: poor });
  expect(await balances(members)).toEqual([AMOUNT, AMOUNT, 0n]);
  expect(judgeMembers(receipt.logs, members, { contract, token: USDT, wallet: poor }).map(({ outcome }) => outcome)).toEqual([
    "paid",
    "paid",
    "refused",
  ]);
});

it("moves only its caller's tokens", async () => {
  const thief = newAddress();
  await chain.call("anvil_impersonateAccount", thief);
  await chain.call("anvil_setBalance", thief, "0x3635c9adc5dea00000");
  const members = [{ recipient: thief, amountBase: AMOUNT }, payment()];
  const before = await balanceOf(wallet);
  const receipt = await pay(members, { from: thief });
  expect(await balances(members)).toEqual([0n, 0n]);
  expect(await balanceOf(wallet)).toBe(before);
  expect(judgeMembers(receipt.logs, members, { contract, token: USDT, wallet: thief })).toEqual(
    members.map(() => ({ outcome: "refused" })),
  );
});

it("pays nobody where it would run out of gas, however little is missing", async () => {
  const members = Array.from({ length: 4 }, () => payment());
  const call = packedCall(members, { contract, token: USDT });
  const simulation = await node.simulate(wallet, call);
  if (simulation.outcome !== "passes") throw new Error(simulation.outcome);
  for (const short of [1n, 20_000n, 60_000n, 120_000n]) {
    const receipt = await send(call, { gas: simulation.gas - short });
    expect(receipt).toMatchObject({ succeeded: false, logs: [] });
  }
  expect(await balances(members)).toEqual([0n, 0n, 0n, 0n]);
  expect(await send(call, { gas: simulation.gas })).toMatchObject({ succeeded: true });
  expect(await balances(members)).toEqual(members.map(() => AMOUNT));
});

it("pays nobody where there is no token", async () => {
  const receipt = await send(packedCall([payment(), payment()], { contract, token: newAddress() }), { gas: 500_000n });
  expect(receipt).toMatchObject({ succeeded: false, logs: [] });
});

for (const [answer, name] of ["nothing", "false", "a short answer", "all gas", "a huge revert"].entries()) {
  it(`judges a token by what it did where it answers a transfer with ${name}`, async () => {
    const odd = payment();
    const args = [answer, odd.recipient as Address] as const;
    const creation = encodeDeployData({ abi: ODD, bytecode: bytecodeOf("OddTokens.sol", "OddToken"), args });
    const token = await deploy(chain.rpcUrl, creation, toHex(BigInt(answer + 1), { size: 32 }));
    await send({ to: token, valueBase: 0n, data: `0x40c10f19${word(BigInt(wallet))}${word(10n * AMOUNT)}` });
    const members = [payment(), odd, payment()];
    const receipt = await pay(members, { token });
    const isPaid = name === "nothing";
    const held = await Promise.all(members.map(({ recipient }) => balanceOf(recipient, token)));
    expect(held).toEqual([AMOUNT, isPaid ? AMOUNT : 0n, AMOUNT]);
    expect(judgeMembers(receipt.logs, members, { contract, token, wallet }).map(({ outcome }) => outcome)).toEqual([
      "paid",
      isPaid ? "paid" : "refused",
      "paid",
    ]);
  });
}

const payment = (): PackedMember => ({ recipient: newAddress(), amountBase: AMOUNT });
const word = (value: bigint) => value.toString(16).padStart(64, "0");

/** With so much USDT, which the contract may move for it. */
async function newWallet(tokens = 1_000_000n * 1_000_000n): Promise<Address> {
  const address = newAddress() as Address;
  await chain.call("anvil_impersonateAccount", address);
  await chain.fund(address, { ether: 10, tokens: Number(tokens / 1_000_000n) });
  await send({ to: USDT, valueBase: 0n, data: `0x095ea7b3${word(BigInt(contract))}${word(ENDLESS)}` }, { from: address });
  return address;
}

async function pay(members: readonly PackedMember[], { token = USDT, from = wallet }: { token?: Address; from?: string } = {}) {
  return await send(packedCall(members, { contract, token }), { from, gas: 5_000_000n });
}

async function send({ to, data }: EvmIntent, { from = wallet, gas }: { from?: string; gas?: bigint } = {}) {
  const limit = gas === undefined ? {} : { gas: toHex(gas) };
  const hash = String(await chain.call("eth_sendTransaction", { from, to, data, ...limit }));
  await chain.mine();
  const receipt = await node.receipt(hash);
  if (receipt === null) throw new Error("it was not mined");
  return receipt;
}

async function balanceOf(address: string, token = USDT): Promise<bigint> {
  return await node.balance(address, token, await node.height());
}
const balances = (members: readonly PackedMember[]) => Promise.all(members.map(({ recipient }) => balanceOf(recipient)));
