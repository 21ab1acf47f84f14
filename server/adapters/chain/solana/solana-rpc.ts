import { z } from "zod";
import { jsonRpc, RpcFault } from "#server/adapters/chain/json-rpc.ts";
import { Rejected, Unreachable } from "#server/ports.ts";

/** How sure a node must be of what it says. */
export type Commitment = "confirmed" | "finalized";

export type SolanaRpc = {
  name: string;
  /** @throws Unreachable (nothing is known), SolanaRejected (the node understood, and refused) */
  ask<T>(answer: z.ZodType<T>, method: string, ...params: readonly unknown[]): Promise<T>;
};

/** A node's refusal with its code and, of a transaction that it would not pass on, the reason. */
export class SolanaRejected extends Rejected {
  readonly code: number;
  readonly fault: unknown;

  constructor(code: number, message: string, fault: unknown) {
    super(message);
    this.code = code;
    this.fault = fault;
  }
}

/** A preflight failed: the only code of this range that says something about the question. */
export const PREFLIGHT_FAILURE = -32002;
export const SIGNATURE_FAILURE = -32003;
const UNKNOWN_METHOD = -32601;
const INVALID_PARAMS = -32602;
const FACTS = new Set([PREFLIGHT_FAILURE, SIGNATURE_FAILURE, UNKNOWN_METHOD, INVALID_PARAMS]);

const Reason = z.object({ err: z.unknown() });

/** The JSON-RPC of one node. All other codes say that it cannot answer now: it is behind, has thrown the block away, or skipped the slot. */
export function solanaRpc(url: string, timeoutMs: number, tracePlace?: () => string | null): SolanaRpc {
  const rpc = jsonRpc(url, timeoutMs, { tracePlace, isPassing: ({ code }) => !FACTS.has(code) });
  return {
    name: rpc.name,
    async ask(answer, method, ...params) {
      let result: unknown;
      try {
        result = await rpc.call(method, params);
      } catch (error) {
        if (!(error instanceof RpcFault)) throw error;
        throw new SolanaRejected(
          error.code,
          `${rpc.name} refused ${method}: ${error.message}`,
          Reason.safeParse(error.data).data?.err ?? null,
        );
      }
      const parsed = answer.safeParse(result);
      if (!parsed.success) throw new Unreachable(`${rpc.name} answered ${method} in an unknown shape`);
      return parsed.data;
    },
  };
}
