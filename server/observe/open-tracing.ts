import type { TracingSettings } from "./trace.ts";

/** Begins what the settings ask for: where they name no collector, none of OpenTelemetry's packages is loaded. Answers what ends it. */
export async function openTracing(
  settings: TracingSettings | null,
  about: { kind: "web" | "worker"; instance: string },
): Promise<() => Promise<void>> {
  if (settings === null) return async () => {};
  const { startTracing } = await import("./start-tracing.ts");
  return startTracing(settings, about);
}
