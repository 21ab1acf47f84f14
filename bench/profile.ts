import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { BenchServer } from "#testing/stage/database.ts";
import { enqueuePayment, pay } from "./execution.ts";
import { spent } from "./processes.ts";
import { withReceivers } from "./programs/run.ts";
import { table } from "./report.ts";
import { jobOf, send } from "./signed.ts";
import { onOwnStage } from "./stage.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SHOWN = 14;
/** While nothing runs. */
const IDLE = ["(idle)", "(program)", "(root)"];

const Profile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
      children: z.array(z.number()).default([]),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

/** Where a web process spends its CPU on signed requests, and a worker on payments: by room and by package. */
export async function measureProfile(server: BenchServer, timings: { seconds: number; count: number }): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "settlement-profile-"));
  try {
    const startMs = { web: 0, worker: 0 };
    const profiled = async <T>(name: keyof typeof startMs, start: (env: Readonly<Record<string, string>>) => Promise<T>): Promise<T> => {
      const { value, seconds } = await spent(() => start({ NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${join(folder, name)}` }));
      startMs[name] = seconds * 1_000;
      return value;
    };
    const proven = await onOwnStage(server, (stage, database) =>
      withReceivers(1, async ([callbackUrl]) => {
        await stage.fundedKey("treasury-0"); // not to be waited for below
        const web = await profiled("web", (env) => stage.startWeb(env));
        for (const kind of ["create", "pair"] as const)
          await send(jobOf(stage, { kind, baseUrls: [web.baseUrl], seconds: timings.seconds, callbackUrl }));
        await web.stop();
        await enqueuePayment(database, stage, { count: timings.count, callbackUrl });
        await pay(database, () => profiled("worker", (env) => stage.startWorker(1, env)));
        return "";
      }),
    );
    const tables = [
      sharesTable("web, creates and pairs", join(folder, "web"), startMs.web),
      sharesTable("worker, payments", join(folder, "worker"), startMs.worker),
    ];
    return [...tables, proven.trim()].join("\n\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Self time by place; what ran before the process was ready does not count. */
function sharesTable(title: string, folder: string, startMs: number): string {
  const spentIn = new Map<string, number>();
  for (const file of readdirSync(folder)) {
    const { nodes, samples, timeDeltas } = Profile.parse(JSON.parse(readFileSync(join(folder, file), "utf8")));
    const places = placesOf(nodes);
    let at = 0;
    for (const [index, id] of samples.entries()) {
      const micros = timeDeltas[index] ?? 0;
      at += micros;
      const place = places.get(id) ?? null;
      if (place !== null && at > startMs * 1_000) spentIn.set(place, (spentIn.get(place) ?? 0) + micros);
    }
  }
  const total = [...spentIn.values()].reduce((sum, each) => sum + each, 0);
  const rows = [...spentIn].toSorted(([, left], [, right]) => right - left).slice(0, SHOWN);
  return table(
    [title, "share"],
    rows.map(([place, micros]) => [place, `${((micros / total) * 100).toFixed(1)} %`]),
  );
}

/** V8 lists a caller before its callees. A function without a file (`JSON.parse`, a hash) counts for its caller. */
function placesOf(nodes: z.infer<typeof Profile>["nodes"]): Map<number, string | null> {
  const callers = new Map(nodes.flatMap(({ id, children }) => children.map((child) => [child, id] as const)));
  const places = new Map<number, string | null>();
  for (const { id, callFrame } of nodes) {
    const isNative = callFrame.url === "" && !callFrame.functionName.startsWith("(");
    places.set(id, isNative ? (places.get(callers.get(id) ?? 0) ?? "Node itself") : placeOf(callFrame));
  }
  return places;
}

/** `server/rest`, `drizzle-orm`, `node:crypto`, `(garbage collector)`; null: nothing ran. */
function placeOf({ functionName, url }: { functionName: string; url: string }): string | null {
  if (IDLE.includes(functionName)) return null;
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (name !== undefined) return name;
  if (url.startsWith("node:")) return url.split("/", 2).join("/");
  const file = url.replace("file://", "").replace(ROOT, "");
  if (url !== "") return file.split("/").slice(0, 2).join("/");
  return functionName;
}
