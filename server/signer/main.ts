import { resolveQuickly } from "#server/process/resolve-quickly.ts";

resolveQuickly();
await import("./run.ts");
