import type { LapsingChain } from "#domain/lapsing-chain.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { listAnswering } from "#server/services/ledger/ask-lapsing-nodes.ts";

/** The highest final block of each chain, as the signer's own nodes have it. */
export class FinalHeights {
  readonly #seen = new Map<string, number>();

  /** Whether a block of that height is final. The nodes are asked only about a height above those that were. */
  async includes(chain: LapsingChain, height: number): Promise<boolean> {
    const seen = this.#seen.get(chain.chain) ?? -1;
    if (height <= seen) return true;
    const points = await Promise.all((await listAnswering(chain)).map((node) => node.finalPoint().catch(asSilence)));
    const now = Math.max(seen, ...points.map((point) => point?.height ?? -1));
    this.#seen.set(chain.chain, Math.max(now, this.#seen.get(chain.chain) ?? -1));
    return height <= now;
  }
}

function asSilence(error: unknown): null {
  if (error instanceof Unreachable || error instanceof Rejected) return null;
  throw error;
}
