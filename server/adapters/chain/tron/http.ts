import { z } from "zod";
import { Unreachable } from "#server/ports.ts";

/** A Tron node's JSON over HTTP: a POST for each call. `solid` asks the side that knows only solidified blocks. */
export type TronHttp = {
  /** Host and port: the URL itself may carry a secret. */
  name: string;
  ask<T>(answer: z.ZodType<T>, method: string, body?: object, side?: "solid" | "newest"): Promise<T>;
  /** The node's second interface, in the form of Ethereum's JSON-RPC. */
  call<T>(answer: z.ZodType<T>, method: string, ...params: unknown[]): Promise<T>;
};

/**
 * One deadline covers connecting, headers and body. An answer in another shape says nothing: Tron's nodes answer most of their own trouble
 * with 200 and `{"Error": …}`, and a node without history answers in plain text.
 *
 * @param apiKey of a provider of nodes. It is sent to the node alone. @throws Unreachable
 */
export function tronHttp(url: string, timeoutMs: number, apiKey: string | null = null): TronHttp {
  const base = url.replace(/\/+$/, "");
  const name = new URL(url).host;
  async function post<T>(answer: z.ZodType<T>, method: string, path: string, body: object): Promise<T> {
    let said: unknown;
    try {
      const response = await fetch(`${base}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...(apiKey === null ? {} : { "TRON-PRO-API-KEY": apiKey }) },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      said = await response.json();
    } catch (error) {
      throw new Unreachable(`${name} did not answer ${method}`, { cause: error instanceof Error ? error.name : String(error) });
    }
    const parsed = typeof said === "object" && said !== null && "Error" in said ? null : answer.safeParse(said);
    if (!parsed?.success) throw new Unreachable(`${name} answered ${method} in an unknown shape`);
    return parsed.data;
  }
  return {
    name,
    ask: (answer, method, body = {}, side = "newest") =>
      post(answer, method, `${side === "solid" ? "walletsolidity" : "wallet"}/${method}`, body),
    async call(answer, method, ...params) {
      const body = { jsonrpc: "2.0", id: 1, method, params };
      return (await post(z.object({ result: answer }), method, "jsonrpc", body)).result;
    },
  };
}
