/** The position of a piece of work in a trace (W3C Trace Context, level 1). */
export type TracePlace = {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits. */
  spanId: string;
  /** Whether the trace is recorded. */
  sampled: boolean;
};

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const LONGEST = 256;

/** Parses a `traceparent`; null for an invalid one, because strangers send it. For future versions, only what they share with 00. */
export function readTraceparent(text: string | null): TracePlace | null {
  if (text === null || text.length > LONGEST) return null;
  const [, version, traceId = "", spanId = "", flags = "", more] = FORM.exec(text) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function writeTraceparent({ traceId, spanId, sampled }: TracePlace): string {
  return `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
}

/** The id of the trace that a stored place is in. */
export function traceIdOf(stored: string | null): string | null {
  return readTraceparent(stored)?.traceId ?? null;
}
