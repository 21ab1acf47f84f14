import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type RpcError = { code: number; message: string };

/**
 * What a proxied node does with a call: `pass` it, `swallow` the answer (the node has executed it), `refuse` it, send it `twice` (the
 * second answer counts), return another result or error without executing it, another one in place of the node's (`instead`), or the node's
 * answer changed.
 */
export type ProxyRule = (
  method: string,
  params: unknown[],
) =>
  | "pass"
  | "swallow"
  | "refuse"
  | "twice"
  | { result: unknown }
  | { error: RpcError }
  | { instead: RpcError }
  | { alter: (result: unknown) => unknown };

/**
 * Faults of a whole request: the connection is closed before it is read, or it is refused by a rate limit; it is executed, and the answer
 * is not JSON, breaks off in the middle, or never comes.
 */
export type Mishap = "close" | "limit" | "garbage" | "cut" | "stall";

export type RpcProxy = {
  url: string;
  /** Every requested method, in order. */
  calls: string[];
  /** How long each answer takes. */
  delayMs: number;
  /** The longest sequence of requests that each waited for the previous answer: a delay costs that many times. A batch counts once. */
  waits: number;
  rule: ProxyRule;
  mishap: () => Mishap | null;
  stop(): Promise<void>;
};

type Reply = { id: number; result?: unknown };
type Call = { jsonrpc: string; id: number; method: string; params: unknown[] };

/** A controllable misbehaving proxy between the service and a node. */
export async function startRpcProxy(target: string, rule: ProxyRule = () => "pass"): Promise<RpcProxy> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const mishap = proxy.mishap();
      if (mishap === "close") return void request.socket.destroy();
      if (mishap === "limit") return void response.writeHead(429, { "content-type": "text/plain" }).end("Too many requests");
      const [path, body] = [request.url ?? "/", Buffer.concat(chunks).toString("utf8")];
      (path === "/" ? answer(body) : answerPath({ target, proxy, path, body })).then(
        (text) => reply(request, response, text, mishap),
        () => request.socket.destroy(),
      );
    });
  });
  const row = { longest: 0, counting: 0 };
  const proxy: RpcProxy = {
    url: "",
    calls: [],
    delayMs: 0,
    get waits() {
      return row.longest;
    },
    /** Restarts the count: earlier requests that are answered later do not belong to this sequence. */
    set waits(longest) {
      row.longest = longest;
      row.counting += 1;
    },
    rule,
    mishap: () => null,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  /** Each call of a batch is judged separately; if none is answered, the connection breaks. */
  async function answer(body: string): Promise<string | null> {
    const asked = JSON.parse(body) as Call | Call[];
    const { longest, counting } = row;
    const judged = [asked].flat().map((call) => {
      proxy.calls.push(call.method);
      return { call, verdict: proxy.rule(call.method, call.params) };
    });
    const isHeard = ({ verdict }: (typeof judged)[number]) =>
      typeof verdict === "string" ? verdict !== "refuse" : "instead" in verdict || "alter" in verdict;
    const heard = judged.filter(isHeard).map(({ call }) => call);
    const again = judged.filter(({ verdict }) => verdict === "twice").map(({ call }) => call);
    const first = heard.length === 0 ? [] : await askTarget(heard);
    const second = again.length === 0 ? [] : await askTarget(again);
    const replies = new Map([...first, ...second].map((reply) => [reply.id, reply]));
    await new Promise((resolve) => setTimeout(resolve, proxy.delayMs));
    if (counting === row.counting) row.longest = Math.max(row.longest, longest + 1);
    const answers = judged.flatMap(({ call: { id }, verdict }) => {
      const own = replies.get(id);
      if (verdict === "swallow" || verdict === "refuse") return [];
      if (typeof verdict === "string") return own ?? [];
      if ("instead" in verdict) return [{ jsonrpc: "2.0", id, error: verdict.instead }];
      if ("alter" in verdict)
        return own === undefined || !("result" in own) ? (own ?? []) : [{ ...own, result: verdict.alter(own.result) }];
      return [{ jsonrpc: "2.0", id, ...verdict }];
    });
    if (answers.length === 0) return null;
    return JSON.stringify(Array.isArray(asked) ? answers : answers[0]);
  }
  async function askTarget(calls: Call[]): Promise<Reply[]> {
    const body = JSON.stringify(calls);
    const reply = await fetch(target, { method: "POST", headers: { "content-type": "application/json" }, body });
    return (await reply.json()) as Reply[];
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

function reply(request: IncomingMessage, response: ServerResponse, text: string | null, mishap: Mishap | null): void {
  if (mishap === "stall") return;
  if (text === null) return void request.socket.destroy();
  const answered = mishap === "garbage" ? "<html>Bad gateway</html>" : text;
  response.setHeader("content-type", "application/json");
  if (mishap !== "cut") return void response.end(answered);
  response.setHeader("content-length", String(Buffer.byteLength(answered)));
  response.write(answered.slice(0, Math.floor(answered.length / 2)), () => request.socket.destroy());
}

type PathCall = { target: string; proxy: Pick<RpcProxy, "calls" | "rule">; path: string; body: string };

/** A node that has a path for each method takes one call at a time, and answers without an envelope. */
async function answerPath({ target, proxy, path, body }: PathCall): Promise<string | null> {
  const method = path.split("/").at(-1) ?? "";
  proxy.calls.push(method);
  const verdict = proxy.rule(method, body === "" ? [] : [JSON.parse(body)]);
  if (verdict === "refuse") return null;
  if (typeof verdict === "object" && "result" in verdict) return JSON.stringify(verdict.result);
  if (typeof verdict === "object" && "error" in verdict) return JSON.stringify({ Error: verdict.error.message });
  const ask = async () => await (await fetch(`${target}${path}`, { method: "POST", body })).text();
  if (verdict === "twice") await ask();
  const text = await ask();
  if (verdict === "swallow") return null;
  if (typeof verdict === "object" && "alter" in verdict) return JSON.stringify(verdict.alter(JSON.parse(text)));
  return typeof verdict === "object" ? JSON.stringify({ Error: verdict.instead.message }) : text;
}
