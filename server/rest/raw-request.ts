/**
 * A request as it was on the wire. Texts have one character for each byte, as in `node:http`; nothing is decoded, collapsed or reordered,
 * because a partner signed exactly these bytes (specification, part 5).
 */
export type RawRequest = {
  requestId: string;
  method: string;
  /** Up to the first `?`. */
  path: string;
  /** After it; empty when there is none. */
  query: string;
  /** By lower-case name, each value that was sent, in order. */
  headers: ReadonlyMap<string, readonly string[]>;
  /** The socket's other end. */
  remoteAddress: string;
  /** Milliseconds on the process's monotonic clock. */
  arrivedAt: number;
  /** The body's bytes, read once and not beyond the limit. */
  readBody(limitBytes: number): Promise<Uint8Array | "too_large">;
  /** Calls this once the client has left without its answer. */
  whenGone(then: () => void): void;
};

export type RawResponse = { status: number; headers: Record<string, string>; body: string | null };

/** The client left before its request or its answer was complete: no client reads the answer. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

/** Also for one made by another copy of this module: the front door and Next's bundle have one each. */
export function isClientGone(error: unknown): boolean {
  return error instanceof Error && error.name === "ClientGone";
}

/** The header's value; null when it is absent or empty. Of several, the first: a caller that must refuse those checks {@link isDoubled}. */
export function headerOf(raw: RawRequest, name: string): string | null {
  return raw.headers.get(name)?.[0] || null;
}

export function isDoubled(raw: RawRequest, name: string): boolean {
  return (raw.headers.get(name)?.length ?? 0) > 1;
}

/** `rawHeaders` of `node:http` (name, value, name, value, …) by lower-case name. */
export function collectHeaders(rawHeaders: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const values = headers.get(name);
    if (values) values.push(rawHeaders[index + 1] ?? "");
    else headers.set(name, [rawHeaders[index + 1] ?? ""]);
  }
  return headers;
}

/** Path and query of an origin-form target (`/path?query`), byte for byte. */
export function splitTarget(target: string): { path: string; query: string } {
  const mark = target.indexOf("?");
  return mark === -1 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}
