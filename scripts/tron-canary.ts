/**
 * `node scripts/tron-canary.ts --node URL --token ADDRESS --to ADDRESS --amount BASE_UNITS --key FILE` pays once on a public test network of
 * Tron, by the adapter that the service has (docs/runbooks/tron-canary.md). It needs no database. The key file is made if there is none.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { TRON_DOUBLE } from "#domain/chain-id.ts";
import type { LapsingReport } from "#domain/lapsing-report.ts";
import { openTronChain } from "#server/adapters/chain/tron/open-tron-chain.ts";
import { readOrMakeKey } from "#server/adapters/signer/key-file.ts";
import { tronKey } from "#server/adapters/signer/tron-key.ts";
import { runCommand } from "./command.ts";

/** Nile, Shasta, and the double of the tests. Never a network with other people's money. */
const TEST_NETWORKS = ["tron:0xcd8690dc", "tron:0x94a9059e", TRON_DOUBLE];

export type CanaryOrder = { node: string; token: string; to: string; amountBase: bigint; keyFile: string; rpcTimeoutMs?: number };
/** `pause` waits between two looks at the network. */
export type CanaryWorld = { say: (line: string) => void; pause: () => Promise<unknown> };

/** Makes one payment and follows it to its end. @returns 0 when it was paid, 1 when it waits, failed or lapsed */
export async function runCanary(
  { node: url, token, to, amountBase, keyFile, rpcTimeoutMs = 10_000 }: CanaryOrder,
  { say, pause }: CanaryWorld,
): Promise<number> {
  const opened = TEST_NETWORKS.map((chain) =>
    openTronChain({ chain, name: "Tron", rpcUrls: [url], rpcTimeoutMs, tokens: [], isLive: false }),
  );
  const identity = await opened[0]?.nodes[0]?.identity();
  const chain = opened.find((one) => one.identity === identity);
  const node = chain?.nodes[0];
  if (chain === undefined || node === undefined) throw new Error(`${new URL(url).host} is on ${identity}, which is no test network.`);
  const key = tronKey(() => readOrMakeKey(keyFile));
  const sender = await key.address();
  say(`network    ${chain.chain} at ${node.name}`);
  say(`sender     ${sender}, ${await node.balance(sender, null)} sun, ${await node.balance(sender, token)} of the token`);
  const unsigned = await node.prepare({ sender, recipient: to, token, amountBase, reference: `canary ${randomUUID()}` });
  const trial = await node.simulate(unsigned);
  if (trial.outcome !== "passes") {
    say(`trial      ${trial.outcome}: ${trial.reason}`);
    return 1;
  }
  const raw = await key.sign(unsigned.bytes);
  const id = await chain.checkSigned(raw, unsigned);
  say(
    `id         ${id}, at most ${unsigned.feeAtMost.amountBase} sun, until ${unsigned.expiry.last instanceof Date ? unsigned.expiry.last.toISOString() : ""}`,
  );
  say(`sent       ${await node.send(raw)}, and again: ${await node.send(raw)}`);
  let last = "";
  for (;;) {
    const report = await node.find({ id, ...unsigned });
    if (report.kind !== last) say(describe(report));
    last = report.kind;
    if (report.kind === "final") return report.outcome === "paid" ? 0 : 1;
    if (report.kind === "absent" && report.isExpired) return 1;
    await pause();
  }
}

function describe(report: LapsingReport): string {
  if (report.kind === "absent") return report.isExpired ? "lapsed     no solidified block has it" : "absent     no block has it yet";
  if (report.kind === "seen") return `seen       in block ${report.height}`;
  const moves = report.moves.map(({ recipient, amountBase }) => `${amountBase} to ${recipient}`).join(", ");
  return `final      ${report.outcome} in block ${report.height}, fee ${report.fee.amountBase} sun, moved: ${moves || "nothing"}`;
}

async function main(): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { node: text, token: text, to: text, amount: text, key: text } });
  const { node, token, to, amount, key } = values;
  if (!node || !token || !to || !amount || !key) throw new Error("Give --node, --token, --to, --amount (in base units) and --key.");
  const order = { node, token, to, amountBase: BigInt(amount), keyFile: key };
  return await runCanary(order, { say: (line) => void process.stdout.write(`${line}\n`), pause: () => sleep(3_000) });
}

if (import.meta.main) await runCommand(main);
