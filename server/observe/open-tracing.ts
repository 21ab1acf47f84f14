import type { TracingSettings } from "./trace.ts";

/** Starts tracing if configured: without a collector, none of OpenTelemetry's packages is loaded. Returns a function that stops it. */
export async function openTracing(
  settings: TracingSettings | null,
  about: { kind: "web" | "worker"; instance: string },
): Promise<() => Promise<void>> {
  if (settings === null) return async () => {};
  const { startTracing } = await import("./start-tracing.ts");
  return startTracing(settings, about);
}
