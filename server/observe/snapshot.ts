import { z } from "zod";
import type { ChainHead, ProcessVitals } from "#domain/vitals.ts";
import { METRIC_NAMES, metrics } from "./metrics.ts";

/** One metric of a process: the form in which figures travel from the worker to the web process. */
const metricSnapshot = z.object({
  name: z.string(),
  help: z.string(),
  type: z.enum(["counter", "gauge", "histogram", "summary"]),
  aggregator: z.enum(["sum", "first", "min", "max", "average", "omit"]).default("sum"),
  values: z.array(
    z.object({
      value: z.number(),
      labels: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
      metricName: z.string().optional(),
    }),
  ),
});
export type MetricSnapshot = z.infer<typeof metricSnapshot>;

/** Every figure of this process, as plain JSON, for {@link parseSnapshot} in another one. */
export async function takeSnapshot(): Promise<unknown[]> {
  return await metrics().registry.getMetricsAsJSON();
}

/** Reads what another process wrote, perhaps one of another release: what it does not understand it leaves out. */
export function parseSnapshot(written: readonly unknown[]): MetricSnapshot[] {
  return written.flatMap((entry) => {
    const parsed = metricSnapshot.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

/** The nodes' last answers to these processes. */
export function chainHeadsIn(processes: readonly Pick<ProcessVitals, "metrics" | "beatAgeSeconds">[], now: Date): ChainHead[] {
  const heads = new Map<string, ChainHead>();
  for (const { metrics: written, beatAgeSeconds } of processes) {
    const snapshot = parseSnapshot(written);
    for (const { value: askedAt, labels } of valuesOf(snapshot, METRIC_NAMES.chainHeadSeen)) {
      const { chain = "", node = "" } = labels;
      const askedSecondsAgo = Math.max(0, now.getTime() / 1_000 - askedAt);
      const known = heads.get(`${chain} ${node}`);
      if (known && known.askedSecondsAgo <= askedSecondsAgo) continue;
      const same = (value: MetricSnapshot["values"][number]) => value.labels.chain === chain && value.labels.node === node;
      const height = valuesOf(snapshot, METRIC_NAMES.chainHeadHeight).find(same)?.value ?? 0;
      const lagSeconds = valuesOf(snapshot, METRIC_NAMES.chainHeadLag).find(same)?.value ?? 0;
      const silentSeconds = Math.max(0, askedSecondsAgo - beatAgeSeconds);
      heads.set(`${chain} ${node}`, { chain: String(chain), node: String(node), height, lagSeconds, askedSecondsAgo, silentSeconds });
    }
  }
  return [...heads.values()];
}

function valuesOf(snapshot: readonly MetricSnapshot[], name: string): MetricSnapshot["values"] {
  return snapshot.find((entry) => entry.name === name)?.values ?? [];
}
