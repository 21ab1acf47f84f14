import { z } from "zod";
import { Unreachable } from "#server/ports.ts";

/** The answer `error` of a JSON-RPC call. What it means is the caller's to judge. */
export class RpcFault extends Error {
  override readonly name = "RpcFault";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Whether a fault says that the call was carried out and reverted (and not that it could not be carried out). */
export function isRevert(fault: RpcFault): boolean {
  return fault.code === 3 || /revert|invalid opcode|vm execution error|bad instruction/i.test(fault.message);
}

export type JsonRpc = { name: string; call(method: string, params: readonly unknown[]): Promise<unknown> };

const Answer = z.object({
  id: z.unknown(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});
type Answer = z.infer<typeof Answer>;

/** Loaded at the first call, since it is large: a process that asks no node does not need it. */
const library = () => import("viem/utils");

/** Calls in one request, and requests on their way at once. */
const MOST_CALLS = 128;
const MOST_REQUESTS = 16;

/** Faults that say nothing about the question: the node is busy, behind, or has thrown the state away. */
const PASSING_CODES = new Set([-32603, -32005, -32002, -32016, 429]);
const PASSING_WORDS =
  /rate limit|too many requests|header not found|missing trie node|unknown block|block not found|state .*(unavailable|not available)|timed? ?out|not synced|pruned|block ?out ?of ?range/i;

export type JsonRpcOptions = {
  /** In one request. */
  mostCalls?: number;
  /** The trace of the caller, sent as `traceparent`; of several calls in one request, the first one's. */
  tracePlace?: (() => string | null) | undefined;
  /** How the bytes travel, where the usual way is not enough. */
  fetch?: typeof fetch | undefined;
  /** Which errors say nothing about the question, where a chain has its own codes. */
  isPassing?: ((error: { code: number; message: string }) => boolean) | undefined;
};

type Asked = {
  method: string;
  params: readonly unknown[];
  trace: string | null;
  answer: (answer: Answer) => void;
  fail: (error: Unreachable) => void;
};

/**
 * JSON-RPC over HTTP. Calls of one turn of the event loop go out together, as one batch: a hundred simulations cost one wait. For a node
 * without batches, or without such long ones, batches are shorter. One deadline covers connecting, headers and body. Errors name the host
 * and never the URL, whose path or user part often is a secret.
 *
 * @throws Unreachable when no usable answer came, RpcFault when the other side understood and refused.
 */
export function jsonRpc(
  url: string,
  timeoutMs: number,
  { mostCalls = MOST_CALLS, tracePlace, fetch: fetchFn, isPassing = isPassingOnEvm }: JsonRpcOptions = {},
): JsonRpc {
  const name = new URL(url).host;
  const openClient = async () =>
    (await library()).getHttpRpcClient(url, { timeout: 0, maxResponseBodySize: 64 * 1024 * 1024, ...(fetchFn && { fetchFn }) });
  let client: ReturnType<typeof openClient> | null = null;
  const waiting: Asked[] = [];
  let [length, requests] = [mostCalls, 0];
  let isDue = false;

  async function call(method: string, params: readonly unknown[]): Promise<unknown> {
    const { result, error } = await new Promise<Answer>((answer, fail) => {
      waiting.push({ method, params, trace: tracePlace?.() ?? null, answer, fail });
      if (!isDue) setImmediate(flush);
      isDue = true;
    });
    if (error === undefined) return result ?? null;
    if (isPassing(error)) throw new Unreachable(`${name} cannot answer ${method} just now: ${error.message}`);
    throw new RpcFault(error.code, error.message, error.data);
  }

  function flush(): void {
    isDue = false;
    while (waiting.length > 0 && requests < MOST_REQUESTS) {
      requests += 1;
      void exchange(waiting.splice(0, length)).finally(() => {
        requests -= 1;
        flush();
      });
    }
  }

  async function exchange(calls: readonly Asked[]): Promise<void> {
    try {
      const bodies = calls.map(({ method, params }, id) => ({ id, method, params }));
      const [first, second] = bodies;
      const traceparent = calls.find(({ trace }) => trace !== null)?.trace;
      const headers = traceparent ? { headers: { traceparent } } : {};
      client ??= openClient();
      const { request } = await client;
      const fetchOptions = { signal: AbortSignal.timeout(timeoutMs), ...headers };
      const said: unknown = await request({ body: second || !first ? bodies : first, fetchOptions });
      const answers = (Array.isArray(said) ? said : [said]).flatMap((one) => Answer.safeParse(one).data ?? []);
      const [only] = answers;
      if (calls.length > 1 && !Array.isArray(said) && !(only?.error && isPassing(only.error))) return askShorter(calls);
      const byId = new Map(answers.map((answer) => [answer.id, answer]));
      for (const [id, { method, answer, fail }] of calls.entries()) {
        const own = Array.isArray(said) ? byId.get(id) : only;
        if (own === undefined) fail(new Unreachable(`${name} answered ${method} with something that is no JSON-RPC`));
        else answer(own);
      }
    } catch (error) {
      if (calls.length > 1 && isRefusedBatch(error)) return askShorter(calls);
      const cause = error instanceof Error ? error.name : String(error);
      for (const { method, fail } of calls) fail(new Unreachable(`${name} did not answer ${method}`, { cause }));
    }
  }

  /** The node may have seen none or all of it. Repeating is safe: it recognises signed bytes. */
  function askShorter(calls: readonly Asked[]): void {
    length = Math.min(length, Math.ceil(calls.length / 2));
    waiting.unshift(...calls);
  }

  return { name, call };
}

/** Whether a fault says nothing about the question, on a node of an EVM chain. */
export function isPassingOnEvm({ code, message }: NonNullable<Answer["error"]>): boolean {
  return (PASSING_CODES.has(code) && !/revert/i.test(message)) || PASSING_WORDS.test(message);
}

/** A node refuses the form of the batch, and says nothing about its calls. */
function isRefusedBatch(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== "HttpRequestError" || !("status" in error)) return false;
  return [400, 405, 413, 415, 422, 501].includes(Number(error.status));
}
