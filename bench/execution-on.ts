import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { LapsingNode } from "#domain/lapsing-chain.ts";
import type { Family } from "#sandbox/settings.ts";
import { solanaKey } from "#server/adapters/signer/solana-key.ts";
import { tempoKey } from "#server/adapters/signer/tempo-key.ts";
import { tronKey } from "#server/adapters/signer/tron-key.ts";
import type { LapsingKey } from "#server/ports.ts";
import type { FamilyNetwork } from "#testing/networks/network.ts";
import { startNetwork } from "#testing/networks/start.ts";
import type { BenchServer } from "#testing/stage/database.ts";
import { enqueuePayment, pay } from "./execution.ts";
import { spent } from "./processes.ts";
import { withReceivers } from "./programs/run.ts";
import { ratesTable } from "./report.ts";
import { inTurns, type Side, type Tally } from "./rounds.ts";
import { onOwnStage } from "./stage.ts";

const ON_THEIR_WAY = 64;
const AMOUNT_BASE = 7_000_000n;
const RECIPIENTS = 50;
const KEYS = { solana: solanaKey, tron: tronKey, tempo: tempoKey } as const;

/** Execution of confirmed settlements by one wallet on a network of another family, compared with a bare loop over the same adapter. */
export async function measureExecutionOn(server: BenchServer, family: Family, timings: { rounds: number; count: number }): Promise<string> {
  const started = await startNetwork(family);
  // One node, as most are configured.
  const network = { ...started, urls: started.urls.slice(1) };
  const wallets = Array.from({ length: RECIPIENTS }, () => network.walletOf(randomBytes(20).toString("hex")));
  const countOf = (counts: boolean) => (counts ? timings.count : Math.ceil(timings.count / 5));
  try {
    return await onOwnStage(
      server,
      (stage, database) =>
        withReceivers(1, async ([callbackUrl]) => {
          const key = KEYS[family](async () => await bareKey);
          const bareKey = stage.fundedKey("bare");
          const ours = async (counts: boolean) => {
            await enqueuePayment(database, stage, { count: countOf(counts), callbackUrl, wallets });
            return await pay(database, () => stage.startWorker(1));
          };
          const bare = `bare loop, ${ON_THEIR_WAY} on their way`;
          const sides: Side[] = [
            { name: `execution on ${family}, 1 wallet`, run: ours, against: { name: bare } },
            { name: bare, run: (counts) => payBare(network, key, { count: countOf(counts), wallets }) },
          ];
          return ratesTable(await inTurns(sides, timings.rounds));
        }),
      { network },
    );
  } finally {
    await started.stop();
  }
}

/** Prepares, signs and sends payments, and waits until each is final. It stores nothing, checks nothing, and repairs nothing. */
async function payBare(
  network: FamilyNetwork,
  key: LapsingKey,
  { count, wallets }: { count: number; wallets: readonly string[] },
): Promise<Tally> {
  const [chain] = network.judge.list();
  const [node] = chain?.nodes ?? [];
  if (chain === undefined || node === undefined) throw new Error("the network has no node");
  const sender = await key.address();
  const run = randomBytes(6).toString("hex");
  let next = 0;
  const one = async () => {
    for (let number = next++; number < count; number = next++) {
      const place = { sender, recipient: wallets[number % wallets.length] ?? "", token: network.tokens.USDT ?? "" };
      const unsigned = await node.prepare({ ...place, amountBase: AMOUNT_BASE, reference: `${run}-${number}` });
      const raw = await key.sign(unsigned.bytes);
      const id = await chain.checkSigned(raw, unsigned);
      await node.send(raw);
      const { after, expiry, bytes } = unsigned;
      await untilFinal(node, { id, after, expiry, bytes });
    }
  };
  const { seconds, cpuMs } = await spent(() => Promise.all(Array.from({ length: ON_THEIR_WAY }, one)));
  return { done: count, seconds, cpuMs: { loop: cpuMs.bench ?? 0, chain: cpuMs.chain ?? 0 } };
}

async function untilFinal(node: LapsingNode, attempt: Parameters<LapsingNode["find"]>[0]): Promise<void> {
  for (;;) {
    const report = await node.find(attempt);
    if (report.kind === "final" && report.outcome === "paid") return;
    if (report.kind === "final" || (report.kind === "absent" && report.isExpired)) throw new Error(`${attempt.id} was not paid`);
    await sleep(100);
  }
}
