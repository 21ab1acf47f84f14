import { getHttpRpcClient } from "viem/utils";
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

export type JsonRpc = { name: string; call(method: string, params: readonly unknown[]): Promise<unknown> };

const Answer = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});

/** Faults that say nothing about the question: the node is busy, behind, or has thrown the state away. */
const PASSING_CODES = new Set([-32603, -32005, -32002, -32016, 429]);
const PASSING_WORDS =
  /rate limit|too many requests|header not found|missing trie node|unknown block|block not found|state .*(unavailable|not available)|timed? ?out|not synced|pruned/i;

/**
 * JSON-RPC over HTTP. One deadline covers connecting, headers and body. Errors name the host and never the URL, whose path or
 * user part often is a secret.
 *
 * @throws Unreachable when no usable answer came, RpcFault when the other side understood and refused.
 */
export function jsonRpc(url: string, timeoutMs: number): JsonRpc {
  const name = new URL(url).host;
  const client = getHttpRpcClient(url, { timeout: 0, maxResponseBodySize: 64 * 1024 * 1024 });
  async function call(method: string, params: readonly unknown[]): Promise<unknown> {
    const answer = Answer.safeParse(await request(method, params));
    if (!answer.success) throw new Unreachable(`${name} answered ${method} with something that is no JSON-RPC`);
    const { result, error } = answer.data;
    if (error === undefined) return result ?? null;
    if (PASSING_CODES.has(error.code) && !/revert/i.test(error.message))
      throw new Unreachable(`${name} cannot answer ${method} just now: ${error.message}`);
    if (PASSING_WORDS.test(error.message)) throw new Unreachable(`${name} cannot answer ${method} just now: ${error.message}`);
    throw new RpcFault(error.code, error.message, error.data);
  }
  async function request(method: string, params: readonly unknown[]): Promise<unknown> {
    try {
      return await client.request({ body: { method, params }, fetchOptions: { signal: AbortSignal.timeout(timeoutMs) } });
    } catch (error) {
      throw new Unreachable(`${name} did not answer ${method}`, { cause: error instanceof Error ? error.name : String(error) });
    }
  }
  return { name, call };
}
