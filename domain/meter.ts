/** Records figures that only a service knows. Metrics themselves belong to the surfaces. Never throws, never waits. */
export type Meter = {
  transferMoved(note: { chain: string; from: string; to: string }): void;
  /** A settlement's payment became final, this long after its confirmation. */
  settlementExecuted(note: { chain: string; seconds: number }): void;
  /** `units`: a plain decimal in units of the currency. */
  treasuryBalance(note: { chain: string; wallet: string; currency: string; units: string }): void;
  /** A node answered just now: its newest block, and how old that is. `node` is a short name, never a URL with a key in it. */
  chainHead(note: { chain: string; node: string; height: number; lagSeconds: number }): void;
};
