import { createServer, type Socket } from "node:net";
import { acknowledge, answerStatus, type Delivery, hang, openReceiver, type Script } from "#sandbox/client/receiver.ts";

/** Faulty partner endpoints. Each may recover: from then on it acknowledges. */
export type BadReceiver = {
  kind: string;
  url: string;
  /** What it has acknowledged. */
  acknowledged: readonly Delivery[];
  recover(): void;
  close(): Promise<void>;
};

const DRIP_MS = 1_000;

/** It has sent 2xx: its later behaviour does not matter, but it occupies the attempt. */
const drip: Script = (response) => {
  response.writeHead(200, { "content-type": "text/plain" });
  const timer = setInterval(() => response.write("."), DRIP_MS);
  response.once("close", () => clearInterval(timer));
};
const breakOff: Script = (response) => void response.socket?.destroy();
/** Kinds that fail at once, and kinds that occupy an attempt for its thirty seconds. */
const QUICK: Readonly<Record<string, Script>> = {
  "says 500": answerStatus(500),
  "says 429, come in an hour": answerStatus(429, { "retry-after": "3600" }),
  "sends elsewhere": answerStatus(307, { location: "http://127.0.0.1:9/elsewhere" }),
  "breaks off": breakOff,
};
const SLOW: Readonly<Record<string, Script>> = { "never answers": hang, "says 200, then a byte a second": drip };

async function overHttp(kind: string, bad: Script): Promise<BadReceiver> {
  const acknowledged: Delivery[] = [];
  let isWell = false;
  const receiver = await openReceiver((response, number, delivery) => {
    if (isWell || bad === drip) acknowledged.push(delivery);
    if (!isWell) return bad(response, number, delivery);
    acknowledge(response, number, delivery);
  });
  const recover = () => {
    isWell = true;
  };
  return { kind, url: receiver.url, acknowledged, recover, close: receiver.close };
}

/** An endpoint without HTTP cannot recover. */
async function overTcp(kind: string, talk: (socket: Socket) => void): Promise<BadReceiver> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("it has no port");
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { kind, url: `http://127.0.0.1:${bound.port}/hook`, acknowledged: [], recover: () => {}, close };
}

/** One of each of the eight kinds. */
export async function openBadReceivers(): Promise<{ quick: BadReceiver[]; slow: BadReceiver[] }> {
  const gone = await overTcp("is gone", () => {});
  await gone.close();
  const quick = await Promise.all(Object.entries(QUICK).map(([kind, script]) => overHttp(kind, script)));
  const garbage = await overTcp("speaks no HTTP", (socket) => void socket.end("\u0000\u0001 no HTTP at all\r\n\r\n"));
  const slow = await Promise.all(Object.entries(SLOW).map(([kind, script]) => overHttp(kind, script)));
  return { quick: [...quick, garbage, { ...gone, close: async () => {} }], slow };
}
