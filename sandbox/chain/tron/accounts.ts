import { RULES } from "./protocol.ts";

/** What an account holds. Left-over bandwidth and energy do not grow back here. */
export type Account = { balanceSun: bigint; energyLeft: bigint; bandwidthLeft: bigint };

/** Tron's accounts, by address as contracts have it. One that is missing was never activated. */
export class Accounts {
  readonly #accounts = new Map<string, Account>();

  find(address: string): Account | null {
    return this.#accounts.get(address) ?? null;
  }

  /** Gives TRX, and energy from a stake. Activates the account. */
  fund(address: string, { balanceSun = 0n, energy = 0n }: { balanceSun?: bigint; energy?: bigint }): void {
    const { bandwidthLeft, ...had } = this.find(address) ?? { balanceSun: 0n, energyLeft: 0n, bandwidthLeft: RULES.freeBandwidth };
    this.#accounts.set(address, { balanceSun: had.balanceSun + balanceSun, energyLeft: had.energyLeft + energy, bandwidthLeft });
  }

  set(address: string, account: Account): void {
    this.#accounts.set(address, account);
  }

  copy(): Map<string, Account> {
    return new Map(this.#accounts);
  }

  restore(copy: ReadonlyMap<string, Account>): void {
    this.#accounts.clear();
    for (const [address, account] of copy) this.#accounts.set(address, account);
  }
}

/** Bandwidth of one transaction: from what is left, or all of it burned. */
export function bandwidthOf({ bandwidthLeft }: Account, bytes: number): { usage: bigint; feeSun: bigint } {
  const needed = BigInt(bytes);
  return bandwidthLeft >= needed ? { usage: needed, feeSun: 0n } : { usage: 0n, feeSun: needed * RULES.bandwidthFeeSun };
}

/** The energy that a call may use: by the account (its stake, then what its TRX buy) and by the transaction's fee limit. */
export function energyLimitOf({ balanceSun, energyLeft }: Account, feeLimitSun: bigint, energyFeeSun: bigint): bigint {
  const ofAccount = energyLeft + balanceSun / energyFeeSun;
  const ofLimit = feeLimitSun / energyFeeSun;
  return ofAccount < ofLimit ? ofAccount : ofLimit;
}
