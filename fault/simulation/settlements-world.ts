import type { Operation, State } from "#fault/linearizable.ts";
import type { Weather } from "./gate.ts";
import type { History } from "./history.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Store } from "./store.ts";

/** What a history of one or two settlements is made of. */
export type SettlementWorld = {
  history: History;
  scheduler: Scheduler;
  store: Store;
  weather: Weather;
  fought: { id: string; initial: State; operations: Operation[]; expiresAt: number }[];
  violations: string[];
};
