import { connect, type Socket } from "node:net";
import type { AllSigners } from "#domain/lapsing-signer.ts";
import { type OwnWallet, SignerAway } from "#domain/signer.ts";
import { Unreachable } from "#server/ports.ts";
import { Answer, fromWire, WalletsAnswer } from "./calls.ts";
import { FrameReader, writeFrame } from "./frames.ts";

/** A batch that a key service signs takes some seconds. */
const LONGEST_MS = 20_000;
const AWAY = "The signer does not answer: nothing is signed or sent until it does.";

type Wallets = ReturnType<typeof WalletsAnswer.parse>;
type Waiting = { done(value: unknown): void; failed(error: Error): void; timer: NodeJS.Timeout };

/**
 * The signer in its own process, behind a Unix socket. One connection for all calls, which is made again at the next call after it broke. What
 * was asked meanwhile fails as `SignerAway`: its caller asks again, and the journal knows what was signed.
 */
export function connectSigners(path: string, chains: readonly string[], longestMs = LONGEST_MS): AllSigners {
  const line = new Line(path, longestMs);
  let known: Wallets | null = null;
  const learn = async () => {
    known = WalletsAnswer.parse(await line.ask({ call: "wallets", chains }));
    return known;
  };
  const ask = async <Value>(message: object): Promise<Value> => {
    // Until their addresses are known, nobody can lease the wallets.
    if (known?.every(({ address }) => address !== null) !== true) await learn();
    return (await line.ask(message)) as Value;
  };
  const walletAt = (chain: string, index: number): OwnWallet | null => {
    const wallet = known?.filter((one) => one.chain === chain)[index];
    if (wallet === undefined) return null;
    const find = async () =>
      wallet.address === null ? (await learn()).filter((one) => one.chain === chain)[index]?.address : wallet.address;
    const address = async () => {
      const found = await find();
      if (found == null) throw new Unreachable("the wallet's key cannot be opened");
      return found;
    };
    return { kind: wallet.kind, signsSafes: wallet.signsSafes, address };
  };
  // Known early, so that a worker leases its wallets at its first pass.
  learn().catch(() => {});
  const of = (chain: string) => (known ?? []).filter((one) => one.chain === chain).flatMap((_, index) => walletAt(chain, index) ?? []);
  return {
    of,
    sign: (batch) => ask({ call: "sign", ...batch }),
    admit: (chain, orders) => ask({ call: "admit", chain, orders }),
    readJournal: (chain) => ask({ call: "readJournal", chain }),
    signSwap: (order) => ask({ call: "signSwap", ...order }),
    lapsing: {
      of,
      sign: (order) => ask({ call: "signLapsing", order }),
      admit: (order) => ask({ call: "admitLapsing", order }),
      readJournal: (chain) => ask({ call: "readLapsingJournal", chain }),
    },
  };
}

/** One connection, and what waits for an answer on it. */
class Line {
  readonly #path: string;
  readonly #longestMs: number;
  #socket: Promise<Socket> | null = null;
  #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(path: string, longestMs: number) {
    this.#path = path;
    this.#longestMs = longestMs;
  }

  /** @throws SignerAway, and what the signer throws */
  async ask(message: object): Promise<unknown> {
    this.#socket ??= this.#open();
    const socket = await this.#socket;
    const id = ++this.#last;
    return await new Promise((done, failed) => {
      // Who is silent for so long is left: the next call connects again.
      const timer = setTimeout(() => socket.destroy(), this.#longestMs);
      this.#waiting.set(id, { done, failed, timer });
      socket.write(writeFrame({ id, ...message }));
    });
  }

  #open(): Promise<Socket> {
    return new Promise((opened, failed) => {
      const socket = connect(this.#path);
      const reader = new FrameReader();
      socket.once("connect", () => opened(socket));
      socket.on("error", () => {}); // `close` follows
      socket.once("close", () => {
        failed(new SignerAway(AWAY));
        this.#end();
      });
      socket.on("data", (chunk) => {
        try {
          for (const one of reader.add(chunk)) this.#settle(Answer.parse(one));
        } catch {
          socket.destroy();
        }
      });
      // A worker that ends waits for nobody.
      socket.unref();
    });
  }

  #settle(answer: ReturnType<typeof Answer.parse>): void {
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined) return;
    this.#waiting.delete(answer.id);
    clearTimeout(waiting.timer);
    if ("error" in answer) waiting.failed(fromWire(answer.error));
    else waiting.done(answer.value);
  }

  #end(): void {
    this.#socket = null;
    const waiting = this.#waiting;
    this.#waiting = new Map();
    for (const { failed, timer } of waiting.values()) {
      clearTimeout(timer);
      failed(new SignerAway(AWAY));
    }
  }
}
