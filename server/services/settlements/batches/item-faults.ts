import { type Fault, isRefusal, Refusal, type RefusalCode } from "#domain/refusal.ts";
import type { Items } from "#server/services/settlements/quote-settlements.ts";

/** What a create is refused with for an invalid value (422), and where an item names that. */
const FIELDS: Partial<Record<RefusalCode, string>> = {
  unsupported_pair: "",
  unsupported_chain: "/chain",
  amount_too_small: "/source_amount",
  amount_too_large: "/source_amount",
  invalid_wallet_address: "/wallet_address",
  callback_url_not_allowed: "/callback_url",
};
/** Not the item's fault: there is no rate just now, or no money. */
const UNAVAILABLE: readonly RefusalCode[] = ["rate_unavailable", "liquidity_unavailable"];

/**
 * The faults of the items of a batch, each at its place (`/items/3/wallet_address`) and with the code that a create would have had. All
 * items are judged before the batch is refused: a fault in any of them stores nothing (contract, part 11).
 */
export class ItemFaults implements Items {
  readonly #faults: Fault[] = [];
  readonly #items = new Set<number>();
  #unavailable: Refusal | null = null;

  of<Result>(index: number, work: () => Result): Result | null {
    try {
      return work();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.add(index, error);
      return null;
    }
  }

  add(index: number, refusal: Refusal): void {
    const { code, message, particulars } = refusal;
    if (UNAVAILABLE.includes(code)) {
      this.#unavailable ??= refusal;
      return;
    }
    this.#items.add(index);
    const errors = particulars.errors ?? [{ pointer: FIELDS[code] ?? "", code, message }];
    this.#faults.push(...errors.map((fault) => ({ ...fault, pointer: `/items/${index}${fault.pointer ?? ""}` })));
  }

  /** @throws Refusal with every fault, under their code where all have the same; else what is unavailable. */
  close(): void {
    if (this.#faults.length === 0) {
      if (this.#unavailable !== null) throw this.#unavailable;
      return;
    }
    const errors = this.#faults.toSorted((left, right) => placeOf(left) - placeOf(right));
    throw new Refusal(codeOf(errors), { detail: `Items with a fault: ${this.#items.size}. Nothing was stored.`, errors });
  }
}

function placeOf({ pointer }: Fault): number {
  return Number(pointer?.split("/")[2]);
}

function codeOf(faults: readonly Fault[]): RefusalCode {
  const [code, ...others] = new Set(faults.map((fault) => fault.code));
  const shared = Object.keys(FIELDS).find((known): known is RefusalCode => known === code);
  return others.length === 0 && shared !== undefined ? shared : "validation_failed";
}
