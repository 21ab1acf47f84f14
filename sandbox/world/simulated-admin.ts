import { openDatabase } from "#db/client.ts";
import { listPendingTo } from "#db/queries/settlements/approval-queue.ts";
import { SIMULATED_DECISION_SECONDS, type SimulatedWallet } from "#domain/simulated-wallet.ts";
import { operatorClient } from "#sandbox/client/partner.ts";
import type { Part } from "#server/process/supervisor.ts";

const LOOK_MS = 1_000;
const AT_ONCE = 20;
const DECISIONS = {
  "999951": { verb: "approve", body: { note: "The sandbox’s simulated admin, by the wallet’s ending." } },
  "999952": { verb: "reject", body: { reason: "The sandbox’s simulated admin, by the wallet’s ending." } },
} satisfies Partial<Record<SimulatedWallet, object>>;
const RIPE = { endings: Object.keys(DECISIONS) as (keyof typeof DECISIONS)[], forSeconds: SIMULATED_DECISION_SECONDS, limit: AT_ONCE };

type Place = { databaseUrl: string; baseUrl: string; apiKey: string };

/** Decides on settlements whose wallets ask for it, like any admin's program: over HTTP, with the sandbox's operator's key. */
export function simulatedAdmin({ databaseUrl, baseUrl, apiKey }: Place): Part {
  const operator = operatorClient(baseUrl, { api_key: apiKey });
  return {
    name: "The simulated admin",
    async start() {
      const { db, close } = openDatabase({ url: databaseUrl, applicationName: "simulated-admin", maxConnections: 1 });
      /** Decided, or not his to decide: where two must say yes, his is given once. */
      const done = new Set<string>();
      const look = async () => {
        for (const { id, ending } of await listPendingTo(db, RIPE)) {
          if (done.has(id)) continue;
          const { verb, body } = DECISIONS[ending];
          const { status } = await operator.call("POST", `/admins/settlements/${id}/${verb}`, body);
          if (status < 500 && status !== 429) done.add(id);
        }
      };
      const ended = Promise.withResolvers<string>();
      let looking: Promise<unknown> = Promise.resolve();
      // A failure (the service is restarting) is retried in a second.
      const timer = setInterval(() => {
        looking = looking.then(look).catch(() => {});
      }, LOOK_MS);
      return {
        exited: ended.promise,
        async stop() {
          clearInterval(timer);
          await looking;
          await close();
          ended.resolve("stopped");
        },
      };
    },
  };
}
