import { insertApiRequests } from "#db/queries/access/api-requests.ts";
import type { ArrivedApiRequest } from "#domain/api-request.ts";
import type { Uses } from "#server/context.ts";

/** Takes a process's answered requests. */
export type ApiLog = {
  /** Returns at once and never throws. Without space in the buffer, the request is not logged. */
  note(request: ArrivedApiRequest): void;
  /** Writes the buffered requests, within a few seconds. */
  drain(): Promise<void>;
};

export const NO_API_LOG: ApiLog = { note: () => {}, drain: async () => {} };

const BATCH = 500;
const WRITE_EVERY_MS = 250;
/** At most some tens of megabytes in all, while the database is unavailable. */
const MAX_HELD = 10_000;
const MAX_HELD_BYTES = 16 * 1_024 * 1_024;
/** The limit per key and kind of {@link provesNothing}: refusals beyond it are counted but not stored. */
const REFUSED_A_MINUTE = 60;
/** The longest stored path, and the longest stored query. */
const LONGEST_TEXT = 1_024;
/** A batch that fails this many times is dropped: the next one may succeed. */
const TRIES = 3;
const REST_MS = 1_000;
const DRAIN_MS = 3_000;

/**
 * Writes the API log asynchronously: requests are buffered for a moment and written in batches, one at a time. While the database is
 * unavailable the log has a gap, without other consequences. A crash loses the last moment's requests.
 */
export function openApiLog(ctx: Uses<"db" | "log">): ApiLog {
  const held: ArrivedApiRequest[] = [];
  const budget = createBudget();
  let bytes = 0;
  let dropped = 0;
  let suppressed = 0;
  let writing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;

  const write = async () => {
    while (held.length > 0) {
      const batch = held.slice(0, BATCH);
      if (!(await inserted(ctx, batch))) dropped += batch.length;
      held.splice(0, batch.length);
      bytes -= batch.reduce((sum, request) => sum + weight(request), 0);
    }
    if (dropped > 0) ctx.log.warn({ dropped }, "requests are missing in the API log");
    dropped = 0;
    if (suppressed > 0) ctx.log.info({ suppressed }, "refused requests were counted and not kept");
    suppressed = 0;
  };
  const start = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    writing ??= write().finally(() => {
      writing = null;
      if (held.length > 0) later();
    });
    return writing;
  };
  const later = () => {
    timer ??= setTimeout(() => void start(), WRITE_EVERY_MS).unref();
  };

  return {
    note(request) {
      if (provesNothing(request) && !budget.take(request)) {
        suppressed += 1;
        if (writing === null) later();
        return;
      }
      const kept = shortened(request);
      if (held.length >= MAX_HELD || bytes + weight(kept) > MAX_HELD_BYTES) {
        dropped += 1;
        return;
      }
      held.push(kept);
      bytes += weight(kept);
      if (writing === null) later();
    },
    async drain() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS).unref());
      const all = async () => {
        while (held.length > 0) await start();
      };
      await Promise.race([all(), late]);
    },
  };
}

async function inserted(ctx: Uses<"db" | "log">, batch: readonly ArrivedApiRequest[]): Promise<boolean> {
  for (let left = TRIES; left > 0; left -= 1) {
    try {
      await insertApiRequests(ctx.db, batch);
      return true;
    } catch (error) {
      if (left === 1) ctx.log.warn({ err: error, requests: batch.length }, "a batch of the API log was not written");
      else await new Promise<void>((resolve) => setTimeout(resolve, REST_MS).unref());
    }
  }
  return false;
}

function weight({ path, query, refused }: ArrivedApiRequest): number {
  return 512 + path.length + query.length + (refused?.body.length ?? 0);
}

/** An explanation of a truncated request would be wrong. */
function shortened(request: ArrivedApiRequest): ArrivedApiRequest {
  const { path, query } = request;
  if (path.length <= LONGEST_TEXT && query.length <= LONGEST_TEXT) return request;
  return { ...request, path: path.slice(0, LONGEST_TEXT), query: query.slice(0, LONGEST_TEXT), refused: null };
}

/**
 * Whether a caller who only knows a key's id, which travels in every request, can cause this answer as often as it likes, with any
 * signature and on any surface.
 */
function provesNothing({ status, code }: ArrivedApiRequest): boolean {
  return status === 401 || status === 429 || code === "ip_not_allowed";
}

/** How many more of these requests may be stored in this minute, per key or person and status. */
function createBudget() {
  let minute = 0;
  const taken = new Map<string, number>();
  return {
    take({ at, apiKeyId, userId, status }: ArrivedApiRequest): boolean {
      const name = `${apiKeyId ?? userId} ${status}`;
      const now = Math.floor(at.getTime() / 60_000);
      if (now !== minute) taken.clear();
      minute = now;
      const count = taken.get(name) ?? 0;
      taken.set(name, count + 1);
      return count < REFUSED_A_MINUTE;
    },
  };
}
