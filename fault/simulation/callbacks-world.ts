import type { Gate, Weather } from "./gate.ts";
import type { History } from "./history.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Store } from "./store.ts";

/** What a receiver heard, in business time. */
export type Post = { id: string; body: string; at: number; acknowledged: boolean; by: string };

/** What a history of deliveries is made of. */
export type CallbackWorld = {
  history: History;
  scheduler: Scheduler;
  store: Store;
  weather: Weather;
  workers: { gate: Gate; stop(): Promise<void>; hear: (payload: string) => void }[];
  posts: Post[];
  /** How likely each receiver answers well, by its URL. */
  receivers: Map<string, number>;
  bodies: Map<string, string>;
  inFlight: number;
  interruptions: number;
  isCalm: boolean;
  /** How many workers there were. */
  born: number;
  violations: string[];
};
