/**
 * `npm run packing` says for each configured chain whether the packing contract is there, with the audited code. It changes nothing.
 *
 * `-- --deploy eip155:1` deploys it there. DEPLOYER_KEY is the private key of any account with some coins, which gets no power over the
 * contract: a treasury wallet is not needed. Then set `"packing": true` for the chain in CHAINS (docs/runbooks/packing.md).
 */
import { parseArgs } from "node:util";
import type { Hex } from "viem";
import { deployPackingContract, findPackingContract } from "#server/adapters/chain/evm/packing/deploy-packing-contract.ts";
import { PACKING_CONTRACT } from "#server/adapters/chain/evm/packing/packing-contract.ts";
import { readConfig } from "#server/config.ts";
import { runCommand } from "./command.ts";

const { values } = parseArgs({ options: { deploy: { type: "string" } } });
const say = (line: string) => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const chains = process.env.MODE === "live" ? readConfig().chains.filter((chain) => chain.family === "evm") : await sandboxChains();
  if (values.deploy !== undefined) return await deploy(chains, values.deploy);
  for (const { chain, rpcUrls, packing } of chains)
    say(`${chain}: ${await findPackingContract(rpcUrls[0] ?? "")} at ${PACKING_CONTRACT.address}; packing is ${packing ? "on" : "off"}`);
  return 0;
}

type Chain = { chain: string; rpcUrls: readonly string[]; packing?: boolean | undefined };

async function deploy(chains: readonly Chain[], name: string): Promise<number> {
  const rpcUrl = chains.find(({ chain }) => chain === name)?.rpcUrls[0];
  if (rpcUrl === undefined) throw new Error(`${name} is not configured.`);
  const key = process.env.DEPLOYER_KEY ?? "";
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) throw new Error("DEPLOYER_KEY is missing: the private key of any account with some coins.");
  const hash = await deployPackingContract(rpcUrl, key as Hex);
  say(`${name}: ${hash === null ? "it was there already" : `deployed by ${hash}`}, at ${PACKING_CONTRACT.address}`);
  return 0;
}

/** Live mode loads nothing of the sandbox: a package does not contain it. */
async function sandboxChains(): Promise<readonly Chain[]> {
  const { findRunningSandbox } = await import("#sandbox/running.ts");
  return findRunningSandbox(process.env).chains;
}

await runCommand(main);
