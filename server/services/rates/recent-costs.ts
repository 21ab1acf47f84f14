import type { ChainDirectory } from "#server/ports.ts";

/** What payments would cost, as this process found it in the last minute. Creating a settlement asks no chain, and answers with that. */

export type AskedCost = { chain: string; destinationCurrency: string; walletAddress: string };
export type NetworkCost = { amountBase: bigint; currency: string; decimals: number; isNewHolder: boolean };
/** `isNewHolder` null: nobody has asked about that wallet, and the cost is that for a new holder. */
export type RecalledCost = Omit<NetworkCost, "isNewHolder"> & { isNewHolder: boolean | null };

const FRESH_MS = 60_000;
/** Between two questions in the background about one token of a chain. */
const ASK_EVERY_MS = 5_000;
const MOST = 10_000;

type Seen<Value> = { value: Value; at: number };
type Memory = { costs: Map<string, Seen<NetworkCost>>; holders: Map<string, Seen<boolean>>; asked: Map<string, number> };
const memories = new WeakMap<ChainDirectory, Memory>();

function memoryOf(chains: ChainDirectory): Memory {
  const memory = memories.get(chains) ?? { costs: new Map(), holders: new Map(), asked: new Map() };
  memories.set(chains, memory);
  return memory;
}

const placeOf = ({ chain, destinationCurrency }: AskedCost) => `${chain} ${destinationCurrency}`;
const walletOf = (asked: AskedCost) => `${placeOf(asked)} ${asked.walletAddress}`;

export function rememberCost(chains: ChainDirectory, asked: AskedCost, cost: NetworkCost, at = Date.now()): void {
  const { costs, holders } = memoryOf(chains);
  if (holders.size >= MOST) holders.clear();
  holders.set(walletOf(asked), { value: cost.isNewHolder, at });
  costs.set(`${placeOf(asked)} ${cost.isNewHolder}`, { value: cost, at });
}

/** Null: nothing is known that is fresh enough. */
export function recallCost(chains: ChainDirectory, asked: AskedCost, now = Date.now()): RecalledCost | null {
  const { costs, holders } = memoryOf(chains);
  const isNewHolder = fresh(holders.get(walletOf(asked)), now);
  const cost = fresh(costs.get(`${placeOf(asked)} ${isNewHolder ?? true}`), now);
  return cost && { ...cost, isNewHolder };
}

/** Whether to ask in the background now. The next call is refused for a while. */
export function isTimeToAsk(chains: ChainDirectory, asked: AskedCost, now = Date.now()): boolean {
  if (chains.find(asked.chain) === null) return false;
  const times = memoryOf(chains).asked;
  const last = times.get(placeOf(asked));
  if (last !== undefined && now - last < ASK_EVERY_MS) return false;
  if (times.size >= MOST) times.clear();
  times.set(placeOf(asked), now);
  return true;
}

function fresh<Value>(seen: Seen<Value> | undefined, now: number): Value | null {
  return seen !== undefined && now - seen.at < FRESH_MS ? seen.value : null;
}
