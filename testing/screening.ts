import { type Abi, type Address, encodeDeployData, encodeFunctionData, type Hex, parseAbi, toHex } from "viem";
import { concludeScreening } from "#domain/screening.ts";
import { bytecodeOf } from "#sandbox/chain/compile.ts";
import { deploy, sendAsOwner, tokenOwner } from "#sandbox/chain/tokens.ts";
import type { Screener } from "#server/ports.ts";
import type { TestChain } from "./chain.ts";

/** Screening contracts on a chain, with the real interfaces and configurable addresses. */

const FILE = "ScreeningSamples.sol";
const KINDS = {
  SanctionsOracle: parseAbi([
    "constructor(address owner)",
    "function addToSanctionsList(address[] addresses)",
    "function removeFromSanctionsList(address[] addresses)",
  ]),
  TetherBlocklist: parseAbi([
    "constructor(address owner)",
    "function addBlackList(address user)",
    "function removeBlackList(address user)",
  ]),
  CircleBlocklist: parseAbi(["constructor(address owner)", "function blacklist(address account)", "function unBlacklist(address account)"]),
} as const;
let made = 0;

export type Naming = { address: Address; name(account: string): Promise<void>; clear(account: string): Promise<void> };

/** A fresh one, that names nobody yet. */
export async function deployNaming(chain: TestChain, kind: keyof typeof KINDS): Promise<Naming> {
  const abi: Abi = KINDS[kind];
  const owner = tokenOwner().address;
  made += 1;
  const salt = toHex(BigInt(Date.now()) * 1_000n + BigInt(made), { size: 32 });
  const address = await deploy(chain.rpcUrl, encodeDeployData({ abi, bytecode: bytecodeOf(FILE, kind), args: [owner] }), salt);
  const [add, remove] = abi.flatMap((item) => (item.type === "function" ? [item.name] : []));
  const answerFor = async (functionName: string | undefined, account: string) => {
    const args = kind === "SanctionsOracle" ? [[account]] : [account];
    const data: Hex = encodeFunctionData({ abi, functionName: functionName ?? "", args });
    await sendAsOwner(chain.rpcUrl, { to: address, data });
  };
  return { address, name: (account) => answerFor(add, account), clear: (account) => answerFor(remove, account) };
}

/** Nothing is screened, and every question gets the answer that nobody knows. */
export const noScreening: Screener = {
  isOn: false,
  screensPayees: false,
  screen: async (destinations) => destinations.map((destination) => concludeScreening(destination, [])),
  state: () => ({ isOn: false, covers: [], troubles: [] }),
  watch: async () => {},
};
