import { chmodSync, lstatSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { isEverybodys } from "#db/trouble.ts";
import type { AllSigners } from "#domain/lapsing-signer.ts";
import { SignerAway } from "#domain/signer.ts";
import { Call, toWire } from "#server/adapters/signer-socket/calls.ts";
import { FrameReader, writeFrame } from "#server/adapters/signer-socket/frames.ts";
import type { Log } from "#server/ports.ts";

/** A worker connects again at its next call. */
const LIMITS = { idleMs: 120_000, mostConnections: 64 };
const MOST_AT_ONCE = 256;
/** Its owner and its group may connect. The folder decides who gets there at all. */
const SOCKET_MODE = 0o660;

/** Answers on a Unix socket. It cuts off a client that breaks the protocol; the others go on. */
export async function serveSigners(path: string, signers: AllSigners, log: Log, limits = LIMITS): Promise<Server> {
  const server = createServer((socket) => answerOn(socket, signers, log, limits.idleMs));
  server.maxConnections = limits.mostConnections;
  // What a killed process has left. Nothing else is removed: then listening fails.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path, { force: true });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(path, listening);
  });
  chmodSync(path, SOCKET_MODE);
  return server;
}

function answerOn(socket: Socket, signers: AllSigners, log: Log, idleMs: number): void {
  const reader = new FrameReader();
  let working = 0;
  socket.on("error", () => {});
  // Nothing is under way, and nothing was asked: it makes room for others.
  socket.setTimeout(idleMs, () => {
    if (working === 0) socket.destroy();
  });
  socket.on("data", (chunk) => {
    try {
      for (const message of reader.add(chunk)) {
        const call = Call.parse(message);
        working += 1;
        if (working > MOST_AT_ONCE) throw new Error("too much is asked at once");
        void answer(signers, call, log).then((frame) => {
          working -= 1;
          if (!socket.destroyed) socket.write(frame);
        });
      }
    } catch (error) {
      log.warn({ err: error }, "a connection does not follow the signer's protocol, and is closed");
      socket.destroy();
    }
  });
}

async function answer(signers: AllSigners, call: Call, log: Log): Promise<Buffer> {
  const { id } = call;
  try {
    return writeFrame({ id, value: await carryOut(signers, call) });
  } catch (error) {
    const wire = toWire(isEverybodys(error) ? new SignerAway("The signer's database does not answer.") : error);
    if (wire.name === "Error") log.error({ call: call.call, err: error }, "the signer met an unexpected error");
    return writeFrame({ id, error: wire });
  }
}

async function carryOut(signers: AllSigners, call: Call): Promise<unknown> {
  switch (call.call) {
    case "wallets":
      return await Promise.all(
        call.chains.flatMap((chain) =>
          [...signers.of(chain), ...signers.lapsing.of(chain)].map(async ({ kind, signsSafes, address }) => ({
            chain,
            kind,
            signsSafes,
            address: await address().catch(() => null),
          })),
        ),
      );
    case "sign":
      return await signers.sign(call);
    case "admit":
      return await signers.admit(call.chain, call.orders);
    case "readJournal":
      return await signers.readJournal(call.chain);
    case "signLapsing":
      return await signers.lapsing.sign(call.order);
    case "admitLapsing":
      return await signers.lapsing.admit(call.order);
    case "readLapsingJournal":
      return await signers.lapsing.readJournal(call.chain);
    case "signSwap":
      return await signers.signSwap(call);
  }
}
