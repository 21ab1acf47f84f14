import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { privateKeyToAddress } from "viem/accounts";
import { SignerAway } from "#domain/signer.ts";
import { connectSigners } from "#server/adapters/signer-socket/connect.ts";
import { createSupervisor } from "#server/process/supervisor.ts";
import type { BenchDatabase, BenchServer } from "#testing/stage/database.ts";
import { enqueuePayment, untilNothingIsDue } from "./execution.ts";
import { pidsOf } from "./processes.ts";
import { withReceivers } from "./programs/run.ts";
import { table } from "./report.ts";
import { spread } from "./rounds.ts";
import { onOwnStage, type Stage } from "./stage.ts";

const GOAL_MS = 2_000;
const EVERY_MS = 5;
const SOCKET = "restarted-signer";

/**
 * How long it takes from the signer's SIGKILL until it signs again, and until the payment that is confirmed at that moment is sent. Its supervisor
 * starts it again. In turns with the same payment while nothing dies.
 */
export async function measureRestart(server: BenchServer, { rounds }: { rounds: number }): Promise<string> {
  return await onOwnStage(server, (stage, database) =>
    withReceivers(1, async ([callbackUrl = ""]) => {
      const socket = join(stage.logs.signer, "..", SOCKET, "signer.sock");
      const env = { SIGNER_SOCKET: socket };
      const workers = createSupervisor(() => {});
      const killed: Round[] = [];
      const usual: Round[] = [];
      try {
        for (let round = 0; round <= rounds; round += 1) {
          // A supervisor of its own each time: one whose part dies often waits longer and longer.
          const signer = createSupervisor(() => {});
          try {
            await signer.run(stage.signerPart(1, env));
            if (round === 0) await workers.run(await stage.workerPart(1, env));
            const pay = (kills: boolean) => payOnce(stage, database, { callbackUrl, socket, kills });
            const [without, with_] = [await pay(false), await pay(true)];
            // The first one warms up.
            if (round > 0) usual.push(without);
            if (round > 0) killed.push(with_);
          } finally {
            await signer.stop();
          }
        }
      } finally {
        await workers.stop();
      }
      const row = (name: string, values: readonly number[], goal = "") => {
        const { median, low, high } = spread(values);
        return [name, median.toFixed(0), `${low.toFixed(0)}–${high.toFixed(0)}`, goal];
      };
      const rows = [
        row(
          "the signer is killed, until it signs again",
          killed.map(({ signsMs }) => signsMs),
          `≤ ${GOAL_MS}`,
        ),
        row(
          "a payment that is confirmed at that moment, until it is sent",
          killed.map(({ sentMs }) => sentMs),
        ),
        row(
          "the same payment while nothing dies",
          usual.map(({ sentMs }) => sentMs),
        ),
      ];
      return table(["After a kill", "ms", "range", "goal"], rows);
    }),
  );
}

type Round = { signsMs: number; sentMs: number };
type Asked = { callbackUrl: string; socket: string; kills: boolean };

async function payOnce(stage: Stage, database: BenchDatabase, { callbackUrl, socket, kills }: Asked): Promise<Round> {
  const sent = async () => {
    const [row] = await database.owner<{ count: number }[]>`select count(*)::int from transaction_attempts where broadcast_at is not null`;
    return row?.count ?? 0;
  };
  const before = await sent();
  const sign = await asksForSignature(stage, socket);
  await sign();
  const pids = kills ? pidsOf("signer") : [];
  const began = performance.now();
  for (const pid of pids) process.kill(pid, "SIGKILL");
  const signs = sign().then(() => performance.now() - began);
  await enqueuePayment(database, stage, { count: 1, callbackUrl });
  while ((await sent()) === before) await sleep(EVERY_MS);
  const round = { sentMs: performance.now() - began, signsMs: await signs };
  await untilNothingIsDue(database, "transfers");
  return round;
}

/** Repeats a request for a signature, which is never sent, until the signer answers. */
async function asksForSignature(stage: Stage, socket: string): Promise<() => Promise<void>> {
  const wallet = privateKeyToAddress(await stage.fundedKey("treasury-0"));
  const { chain } = stage.chain;
  const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
  const orders = [{ of: { filler: "filler:bench:0" }, kind: "payment" as const, nonce: 0, gasLimit: 21_000n, fees }];
  const signers = connectSigners(socket, [chain]);
  return async () => {
    for (;;) {
      const [answer] = await signers.sign({ chain, wallet, orders }).catch((error: unknown) => {
        if (error instanceof SignerAway) return [];
        throw error;
      });
      if (answer?.outcome === "signed") return;
      if (answer !== undefined) throw new Error(`the signer did not sign: ${answer.reason}`);
      await sleep(EVERY_MS);
    }
  };
}
