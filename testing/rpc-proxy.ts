import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a proxied node does with a call: `pass` it, `swallow` the answer (the node has done it), or `refuse` to hear it. */
export type ProxyRule = (
  method: string,
  params: unknown[],
) => "pass" | "swallow" | "refuse" | { result: unknown } | { error: { code: number; message: string } };

export type RpcProxy = {
  url: string;
  /** Every method asked for, in order. */
  calls: string[];
  /** How long each answer takes. */
  delayMs: number;
  /** The longest row of requests of which each was asked after the answer to the one before: what a delay costs that often. A batch is one. */
  waits: number;
  rule: ProxyRule;
  stop(): Promise<void>;
};

type Call = { jsonrpc: string; id: number; method: string; params: unknown[] };

/** Stands between the service and a node, and misbehaves as it is told. */
export async function startRpcProxy(target: string, rule: ProxyRule = () => "pass"): Promise<RpcProxy> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      answer(body).then(
        (text) => (text === null ? request.socket.destroy() : response.setHeader("content-type", "application/json").end(text)),
        () => request.socket.destroy(),
      );
    });
  });
  const proxy: RpcProxy = {
    url: "",
    calls: [],
    delayMs: 0,
    waits: 0,
    rule,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  /** Of a batch each call is judged by itself; where none of it is answered, the connection breaks. */
  async function answer(body: string): Promise<string | null> {
    const asked = JSON.parse(body) as Call | Call[];
    const depth = proxy.waits + 1;
    const judged = [asked].flat().map((call) => {
      proxy.calls.push(call.method);
      return { call, verdict: proxy.rule(call.method, call.params) };
    });
    const heard = judged.filter(({ verdict }) => verdict === "pass" || verdict === "swallow").map(({ call }) => call);
    const replies = heard.length === 0 ? [] : await askTarget(heard);
    await new Promise((resolve) => setTimeout(resolve, proxy.delayMs));
    proxy.waits = Math.max(proxy.waits, depth);
    const answers = judged.flatMap(({ call: { id }, verdict }) => {
      if (typeof verdict === "object") return [{ jsonrpc: "2.0", id, ...verdict }];
      return verdict === "pass" ? replies.filter((reply) => reply.id === id) : [];
    });
    if (answers.length === 0) return null;
    return JSON.stringify(Array.isArray(asked) ? answers : answers[0]);
  }
  async function askTarget(calls: Call[]): Promise<{ id: number }[]> {
    const body = JSON.stringify(calls);
    const reply = await fetch(target, { method: "POST", headers: { "content-type": "application/json" }, body });
    return (await reply.json()) as { id: number }[];
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
