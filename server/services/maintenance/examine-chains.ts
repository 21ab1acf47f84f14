import { listTreasuryBalances } from "#db/queries/transfers/wallet-balances.ts";
import type { Finding } from "#domain/examination.ts";
import type { LapsingChain, LapsingNode } from "#domain/lapsing-chain.ts";
import type { Uses } from "#server/context.ts";
import type { EvmChain, EvmNode } from "#server/ports.ts";

/** A chain that has no block for so long does not serve payments. */
const OLD_SECONDS = 180;

/** Asks every node of every chain itself, and the packing contract's code. It never throws: a silent node is a finding. */
export async function examineChains({ evm, lapsing, clock }: Uses<"evm" | "lapsing" | "clock">): Promise<Finding[]> {
  const now = clock.now();
  const found = await Promise.all([
    ...evm.list().map((chain) => examineChain(chain, now)),
    ...lapsing.list().map((chain) => Promise.all(chain.nodes.map((node) => examineLapsingNode(chain, node, now)))),
  ]);
  return found.flat();
}

/** A node of a chain whose payments lapse: whose chain it is of, and how old its newest final block is. */
async function examineLapsingNode({ chain, identity }: LapsingChain, node: LapsingNode, now: Date): Promise<Finding> {
  const subject = `${node.name} of ${chain}`;
  const trouble = (detail: string, remedy: string): Finding => ({ subject, level: "trouble", detail, remedy });
  try {
    const asked = [node.identity(), node.finalPoint(), node.double?.() ?? null, node.findUnfit?.() ?? null] as const;
    const [own, final, double, unfit] = await Promise.all(asked);
    if (own !== identity) return trouble(`it is a node of the chain ${own}`, "Name a node of the right chain in CHAINS.");
    if (unfit !== null) return trouble(unfit, "Change the chain's settings in CHAINS, and restart worker and signer.");
    const age = Math.round((now.getTime() - final.at.getTime()) / 1_000);
    const detail = `answers, its newest final block ${final.height} is ${age} s old${double === null ? "" : `; it says that it is ${double}`}`;
    return age > OLD_SECONDS ? trouble(detail, "See docs/runbooks/rpc-dead.md.") : { subject, level: "ok", detail, remedy: null };
  } catch (error) {
    return trouble(`does not answer: ${error instanceof Error ? error.message : String(error)}`, "See docs/runbooks/rpc-dead.md.");
  }
}

async function examineChain(chain: EvmChain, now: Date): Promise<Finding[]> {
  const nodes = await Promise.all(chain.nodes.map((node) => examineNode(chain, node, now)));
  const [first] = chain.nodes;
  if (first === undefined || chain.packingContract === null || nodes[0]?.level !== "ok") return nodes;
  const isOurs = chain.isPackingContract(await first.code(chain.packingContract).catch(() => "0x"));
  const subject = `packing contract on ${chain.chain}`;
  const remedy = "Name the right address in CHAINS, or deploy it: docs/runbooks/packing.md.";
  return [
    ...nodes,
    isOurs
      ? { subject, level: "ok", detail: "has the audited code", remedy: null }
      : { subject, level: "trouble", detail: `there is another code at ${chain.packingContract}`, remedy },
  ];
}

async function examineNode({ chain, chainId }: EvmChain, node: EvmNode, now: Date): Promise<Finding> {
  const subject = `${node.name} of ${chain}`;
  const trouble = (detail: string, remedy: string): Finding => ({ subject, level: "trouble", detail, remedy });
  try {
    const [id, head] = await Promise.all([node.chainId(), node.block("latest")]);
    if (id !== chainId) return trouble(`it is a node of the chain ${id}`, "Name a node of the right chain in CHAINS.");
    if (head === null) return trouble("it has no block", "See docs/runbooks/rpc-dead.md.");
    const age = Math.round((now.getTime() - head.at.getTime()) / 1_000);
    const detail = `answers, its newest block ${head.height} is ${age} s old`;
    return age > OLD_SECONDS ? trouble(detail, "See docs/runbooks/rpc-dead.md.") : { subject, level: "ok", detail, remedy: null };
  } catch (error) {
    return trouble(`does not answer: ${error instanceof Error ? error.message : String(error)}`, "See docs/runbooks/rpc-dead.md.");
  }
}

/** What the treasury's wallets hold of tokens and of what pays for gas, by the worker's last reading. */
export async function examineTreasury({ db }: Uses<"db">): Promise<Finding[]> {
  const low = (await listTreasuryBalances(db)).filter((balance) => balance.low);
  if (low.length === 0) return [{ subject: "treasury", level: "ok", detail: "no wallet runs low", remedy: null }];
  return low.map(({ chain, address, currency }) => ({
    subject: "treasury",
    level: "warning",
    detail: `${address} on ${chain} runs low on ${currency}`,
    remedy: "Top it up: docs/runbooks/treasury-empty.md.",
  }));
}
