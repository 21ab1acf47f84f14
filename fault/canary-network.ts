/**
 * Runs in a separate network namespace (made by `fault/canaries.ts`), where every address of the internet, and every internal one, leads to
 * this program, which records all calls. It lets the service's own sender call every form of every internal address, and prints the
 * recorded calls.
 */
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createCallbackSender } from "#server/adapters/callbacks/send.ts";
import type { CanaryReport } from "./canaries.ts";
import { innerUrls } from "./inner-addresses.ts";

/** Some public addresses: the sender must reach them, or its silence elsewhere proves nothing. */
const PUBLIC = ["93.184.215.14", "[2606:4700:10::6816:2b6b]"];
/** Addresses of inner networks that the control calls by itself. */
const INNER = ["10.0.0.1", "169.254.169.254", "192.168.255.254", "[fd12:3456::1]", "127.1.2.3"];
const TIMEOUT_MS = 3_000;

const heard: string[] = [];
const whereTo = ({ socket, url }: IncomingMessage) => `${socket.localAddress}${url}`;
const server = createServer((incoming, answer) => {
  heard.push(whereTo(incoming));
  if (incoming.url?.startsWith("/inward")) answer.writeHead(302, { Location: `http://10.0.0.1:${port}/canary` });
  answer.end();
});
await new Promise<void>((resolve) => server.listen(0, "::", resolve));
const { port } = server.address() as AddressInfo;

/** The calls recorded meanwhile. */
async function listening(work: () => Promise<unknown>): Promise<string[]> {
  heard.length = 0;
  await work();
  return [...heard];
}

const call = (host: string) =>
  new Promise<void>((resolve) => {
    const calling = request(`http://${host}:${port}/control`, { method: "POST", timeout: TIMEOUT_MS }, (answer) =>
      answer.resume().once("close", resolve),
    );
    calling.once("timeout", () => calling.destroy());
    calling.once("error", () => resolve());
    calling.end();
  });

/** A name that resolves to a public address at first, and to an internal one from then on. */
function rebinding(): (name: string) => Promise<string[]> {
  let asked = 0;
  return async () => {
    asked += 1;
    return [asked === 1 ? "93.184.215.14" : "10.0.0.1"];
  };
}

const common = { allowHttp: true, exemptHosts: [] };
const sender = createCallbackSender({ ...common, resolve: async () => ["10.0.0.1"] });
const send = (url: string, from = sender) => from.send({ url, headers: {}, body: "{}", timeoutMs: TIMEOUT_MS });

const urls = innerUrls(port);
const turning = createCallbackSender({ ...common, resolve: rebinding() });
const mixed = createCallbackSender({ ...common, resolve: async () => ["93.184.215.14", "10.0.0.1"] });
const report: CanaryReport = {
  control: await listening(() => Promise.all(INNER.map(call))),
  reached: await listening(() => Promise.all(PUBLIC.map((host) => send(`http://${host}:${port}/public`)))),
  forms: urls.length,
  called: await listening(async () => {
    for (const url of urls) await send(url);
    await send(`http://inner.example:${port}/canary`);
    await send(`http://mixed.example:${port}/canary`, mixed);
    await turning.judge(`http://turning.example:${port}/canary`);
    await send(`http://turning.example:${port}/canary`, turning);
  }),
  followed: (await listening(() => send(`http://93.184.215.14:${port}/inward`))).filter((place) => place.includes("10.0.0.1")),
};
server.close();
server.closeAllConnections();
process.stdout.write(`${JSON.stringify(report)}\n`);
