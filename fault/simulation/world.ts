import type { Gate, Weather } from "./gate.ts";
import type { History, PutBack } from "./history.ts";
import type { JournalFile } from "./journal-disk.ts";
import type { Network } from "./nodes.ts";
import type { Orders } from "./orders.ts";
import type { SimulatedProvider } from "./provider.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Store } from "./store.ts";

/** What a partner was promised. */
export type Owed = { id: string; recipient: string; amountBase: bigint; at: number };

/** What a history of payments is made of. */
export type PaymentWorld = Orders & {
  history: History;
  scheduler: Scheduler;
  store: Store;
  net: Network;
  /** The signing journal. */
  journal: JournalFile;
  /** Null: no top-ups and no withdrawals. */
  fiat: FiatWorld | null;
  /** Null: the database was never put back. */
  putBack: PutBack | null;
  /** Until when the chain may forget blocks, however calm it is. */
  forkingUntil: number;
  weather: Weather;
  owed: Map<string, Owed>;
  workers: Worker[];
  /** Faults are over: nobody dies any more, and all is answered. */
  isCalm: boolean;
  /** What somebody else has signed with the wallet's key, by hash. */
  foreign: Set<string>;
  /** It is judged: what ends now ends with it. */
  isOver: boolean;
  calmAt: number;
  /** When the last frozen worker wakes up: in the middle of a pass, with leases that it has lost. */
  thawedAt: number;
  /** When a worker died last. */
  killedAt: number;
  /** Rounds of the engine and wakes, since all is calm. */
  rounds: number;
  wakes: number;
  /** Which workers have looked at the chain since then. */
  looked: Set<string>;
  /** How many workers there were. */
  born: number;
  violations: string[];
};

export type Worker = { gate: Gate; skewMs: number; stop(): Promise<void> };

/** What a history has of fiat, besides the tables. */
export type FiatWorld = {
  provider: SimulatedProvider;
  /** By its id, what was asked for. */
  wanted: Map<string, { kind: "topup" | "withdrawal"; place: string }>;
  /** Somebody has written a step into an order's row. */
  isForged: boolean;
};
