import { type IncomingHttpHeaders, request } from "node:http";

export type Header = readonly [name: string, value: string];

/** A raw request: the target is never parsed, and a header may occur twice. */
export type Outgoing = { method: string; target: string; headers: readonly Header[]; body?: Buffer | string | undefined };

export type Answer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; text: string };

const PATIENCE_MS = 60_000;

/** Looks at every answer; what it throws, the caller gets instead of the answer. */
export type Watcher = (outgoing: Outgoing, answer: Answer) => void;
const watchers: Watcher[] = [];
export function watchExchanges(watcher: Watcher): void {
  watchers.push(watcher);
}

/** Sends one request on a separate connection and reads the whole answer. Redirects are answers. */
export async function exchange(baseUrl: string, outgoing: Outgoing): Promise<Answer> {
  const answer = await send(baseUrl, outgoing);
  showWatchers(outgoing, answer);
  return answer;
}

/** For clients that use HTTP in other ways. */
export function showWatchers(outgoing: Outgoing, answer: Answer): void {
  for (const watch of watchers) watch(outgoing, answer);
}

function send(baseUrl: string, { method, target, headers, body }: Outgoing): Promise<Answer> {
  const { hostname, port, host } = new URL(baseUrl);
  const bytes = Buffer.from(body ?? "");
  const framed = bytes.length > 0 || ["POST", "PUT", "PATCH"].includes(method);
  const framing: Header[] = framed ? [["Content-Length", String(bytes.length)]] : [];
  const wire = [["Host", host], ...headers, ...framing, ["Connection", "close"]].flat();
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path: target, headers: wire, agent: false, timeout: PATIENCE_MS }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const answer = Buffer.concat(chunks);
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: answer, text: answer.toString("utf8") });
      });
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer to ${method} ${target} within ${PATIENCE_MS / 1_000} s`)));
    outgoing.on("error", reject);
    outgoing.end(bytes);
  });
}
