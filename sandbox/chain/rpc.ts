import { z } from "zod";

const Answer = z.object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() });

/** One JSON-RPC call to a development node. */
export async function callNode(url: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  });
  const answer = Answer.parse(await response.json());
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}
