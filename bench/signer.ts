import type { BenchServer } from "#testing/stage/database.ts";
import { enqueuePayment, pay } from "./execution.ts";
import { withReceivers } from "./programs/run.ts";
import { ratesTable } from "./report.ts";
import { inTurns, type Side } from "./rounds.ts";
import { onOwnStage } from "./stage.ts";

/** The signer's process costs a tenth of the rate at most. */
const GOAL = 0.9;

/**
 * What it costs that a process of its own signs: the same payments of one wallet by a worker that asks over the socket, and by one that has the
 * keys and the journal in its process. No worker of the service is like the second one.
 */
export async function measureSigner(server: BenchServer, { rounds, count }: { rounds: number; count: number }): Promise<string> {
  return await onOwnStage(server, (stage, database) =>
    withReceivers(1, async ([callbackUrl]) => {
      const side = (env: Readonly<Record<string, string>>) => async (measured: boolean) => {
        await enqueuePayment(database, stage, { count: measured ? count : Math.ceil(count / 5), callbackUrl });
        return await pay(database, () => stage.startWorker(1, env));
      };
      const inProcess = "execution, keys in the worker";
      const sides: Side[] = [
        { name: "execution, keys behind the socket", run: side({}), against: { name: inProcess, goal: GOAL } },
        { name: inProcess, run: side(stage.keysInWorker(1)) },
      ];
      return ratesTable(await inTurns(sides, rounds));
    }),
  );
}
