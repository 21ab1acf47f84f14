import { type Logger, pino } from "pino";
import type { Log } from "#server/ports.ts";
import { redactFields, redactText } from "./redact.ts";
import { traceId } from "./trace.ts";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogOptions = {
  level: LogLevel;
  /** Which process writes: `web`, `worker`. */
  process: string;
  /** Where lines are written; default: standard output. */
  destination?: { write(line: string): void };
};

/**
 * A log that writes one JSON line per entry: `{"level":"info","time":"…Z","process":"web","pid":1,…fields,"message":"…"}`. Secrets never
 * reach a line, whether in a field with such a name, deep in a nested one, or within a text.
 */
export function createLog(options: LogOptions): Log {
  const settings = {
    level: options.level,
    base: { process: options.process, pid: process.pid },
    messageKey: "message",
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return redacting(options.destination ? pino(settings, options.destination) : pino(settings));
}

function redacting(logger: Logger): Log {
  return {
    info: (fields, message) => {
      if (logger.isLevelEnabled("info")) logger.info(traced(redactFields(fields)), redactText(message));
    },
    warn: (fields, message) => {
      if (logger.isLevelEnabled("warn")) logger.warn(traced(redactFields(fields)), redactText(message));
    },
    error: (fields, message) => {
      if (logger.isLevelEnabled("error")) logger.error(traced(redactFields(fields)), redactText(message));
    },
    child: (fields) => redacting(logger.child(redactFields(fields))),
  };
}

/** With the trace that the work under way belongs to, if there is one. */
function traced(fields: Record<string, unknown>): Record<string, unknown> {
  const id = traceId();
  return id === null ? fields : { ...fields, trace_id: id };
}
