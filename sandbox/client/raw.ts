import { connect } from "node:net";
import type { Answer } from "./exchange.ts";

/** Sends bytes that no HTTP client would write, on a separate socket. Returns everything received until the end or a silence. */
export function sendBytes(baseUrl: string, bytes: Buffer | string, { silenceMs = 5_000 } = {}): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const finish = () => {
      socket.destroy();
      try {
        resolve(parseAnswer(Buffer.concat(chunks)));
      } catch (error) {
        reject(error);
      }
    };
    socket.setTimeout(silenceMs, finish);
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (isWhole(Buffer.concat(chunks))) finish();
    });
    socket.on("end", finish);
    // A server that refuses early may reset a connection on which bytes are still coming; its answer counts.
    socket.on("error", (error) => (chunks.length > 0 ? finish() : reject(error)));
  });
}

/** One HTTP/1.1 request as text, with the given headers. */
export function requestBytes(
  baseUrl: string,
  method: string,
  target: string,
  headers: readonly (readonly [string, string])[],
  body = "",
): Buffer {
  const { host } = new URL(baseUrl);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    "Connection: close",
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`, "utf8");
}

function isWhole(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  return length !== undefined && bytes.length >= end + 4 + Number(length);
}

function parseAnswer(bytes: Buffer): Answer {
  const text = bytes.toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, end === -1 ? undefined : end).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) throw new Error(`no HTTP answer: ${JSON.stringify(text.slice(0, 200))}`);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const content = end === -1 ? Buffer.alloc(0) : bytes.subarray(end + 4);
  const body = headers["transfer-encoding"] === "chunked" ? unchunk(content) : content;
  return { status, headers, bytes: body, text: body.toString("utf8") };
}

function unchunk(content: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = content.indexOf("\r\n", at);
    const size = Number.parseInt(content.subarray(at, lineEnd).toString("latin1"), 16);
    if (lineEnd === -1 || !(size > 0)) return Buffer.concat(parts);
    parts.push(content.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
