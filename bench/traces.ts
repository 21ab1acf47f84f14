import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BenchServer } from "#testing/stage/database.ts";
import { ratesTable } from "./report.ts";
import { inTurns, type Side } from "./rounds.ts";
import { jobOf, send } from "./signed.ts";
import { onOwnStage } from "./stage.ts";

const SHARES = ["0.01", "1"];

/**
 * The cost of traces: pairs of create and confirm to three web processes on one database, one without traces, one that records every
 * hundredth request, one that records all. The collector, in this process, accepts everything.
 */
export async function measureTraces(server: BenchServer, timings: { rounds: number; seconds: number }): Promise<string> {
  const collector = createServer((request, response) => void request.resume().on("end", () => response.end("{}")));
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const { port } = collector.address() as AddressInfo;
  try {
    return await onOwnStage(server, async (stage) => {
      const side = async (name: string, env: Record<string, string>): Promise<Side> => {
        const web = await stage.startWeb(env);
        const run = (measured: boolean) =>
          send(jobOf(stage, { kind: "pair", baseUrls: [web.baseUrl], seconds: measured ? timings.seconds : timings.seconds / 2 }));
        return { name, run };
      };
      const off = await side("pair, no traces", {});
      const on = await Promise.all(
        SHARES.map(async (share) => {
          const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_TRACES_SAMPLER_ARG: share };
          const goal = share === "1" ? {} : { goal: 0.97 };
          return { ...(await side(`pair, ${Number(share) * 100} % traced`, env)), against: { name: off.name, ...goal } };
        }),
      );
      return ratesTable(await inTurns([off, ...on], timings.rounds));
    });
  } finally {
    collector.closeAllConnections();
    collector.close();
  }
}
