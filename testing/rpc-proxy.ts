import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a proxied node does with a call: `pass` it, `swallow` the answer (the node has done it), or `refuse` to hear it. */
export type ProxyRule = (
  method: string,
  params: unknown[],
) => "pass" | "swallow" | "refuse" | { result: unknown } | { error: { code: number; message: string } };

export type RpcProxy = { url: string /** Every method asked for, in order. */; calls: string[]; rule: ProxyRule; stop(): Promise<void> };

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
    rule,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  async function answer(body: string): Promise<string | null> {
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown[] };
    proxy.calls.push(method);
    const verdict = proxy.rule(method, params);
    if (verdict === "refuse") return null;
    if (typeof verdict === "object") return JSON.stringify({ jsonrpc: "2.0", id, ...verdict });
    const reply = await fetch(target, { method: "POST", headers: { "content-type": "application/json" }, body });
    const text = await reply.text();
    return verdict === "swallow" ? null : text;
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
