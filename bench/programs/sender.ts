import { Agent, request } from "node:http";
import { signedHeaders } from "#sandbox/client/signing.ts";
import type { Job } from "./job.ts";

type Answer = { status: number; text: string };
/** Sends a signed request. */
export type Send = (method: string, target: string, body?: string) => Promise<Answer>;

/** Signed requests of one key over one connection. */
export function sender(credentials: Job["keys"][number], baseUrl: string): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port, host } = new URL(baseUrl);
  return (method, target, body) =>
    new Promise((resolve, reject) => {
      const framing = body === undefined ? [] : [["Content-Length", String(Buffer.byteLength(body))]];
      const headers = [["Host", host], ...signedHeaders(credentials, { method, target, body }), ...framing].flat();
      const outgoing = request({ hostname, port, method, path: target, headers, agent }, (incoming) => {
        let text = "";
        incoming.setEncoding("utf8");
        incoming.on("data", (chunk: string) => {
          text += chunk;
        });
        incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text }));
        incoming.on("error", reject);
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
}

/** The text of an answer of this status. @throws for any other. */
export async function expecting(send: Send, status: number, [method, target, body]: Parameters<Send>): Promise<string> {
  const answer = await send(method, target, body);
  if (answer.status !== status) throw new Error(`${method} ${target} was answered ${answer.status}: ${answer.text.slice(0, 500)}`);
  return answer.text;
}
