import { findSigningJournal } from "#db/queries/transfers/signing-journal.ts";
import type { JournalState } from "#domain/journal.ts";
import { canonicalOf, type LapsingChain } from "#domain/lapsing-chain.ts";
import { type ChainPoint, type Expiry, isPast } from "#domain/lapsing-report.ts";
import type { Heartbeat, LapsingKeys } from "#domain/lapsing-signer.ts";
import type { Uses } from "#server/context.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { listAnswering, orSilent } from "#server/services/ledger/ask-lapsing-nodes.ts";
import { listUnknownSent, sentSince } from "#server/services/ledger/list-unknown-sent.ts";

/** Why nothing is signed: the wallets have paid what the journal does not have (`unknown`: the ids, the newest last), or the nodes do not show it (`doubt`). */
export type SentFinding = { unknown: readonly string[]; reason: string } | { unknown: null; reason: string };

/** What was signed before may still come about until `until`. What is owed since `begun` was not signed before. */
type Look = { begun: Date; until: Expiry | null; nodesNeeded: number; isOver: boolean; asking: Promise<SentFinding | null> | null };

/** What the signer has of its own. */
type Powers = { ctx: Uses<"db" | "clock" | "lapsing">; lapsingKeys: LapsingKeys };

/** A journal that was last written to so long ago was not put back meanwhile: nobody is that fast. */
const SHORT_MS = 30_000;
/** The caller waits no longer than this for a long history. */
const ANSWER_MS = 3_000;

/**
 * What the wallets of each chain had paid before this signer began, as far as its journal does not have it. Payments that lapse have no nonces,
 * so only the chain shows that database and journal were both put back. It is asked at the first payment after a start. After a longer absence it
 * is asked until nothing that was signed before can come about any more.
 */
export class SentBefore {
  readonly #looks = new Map<string, Look>();
  readonly #heartbeat: Heartbeat;

  constructor(heartbeat: Heartbeat) {
    this.#heartbeat = heartbeat;
  }

  /** Why nothing may be signed on the chain; null: nothing speaks against it. */
  async judge(desk: Powers, chain: LapsingChain, readState: () => Promise<JournalState>): Promise<SentFinding | null> {
    const look = await this.#lookOf(desk, chain);
    if (look === null) return { unknown: null, reason: `No node of ${chain.name} names its newest final block.` };
    if (look.isOver) {
      // Of every chain, else a restart would forget what is still open on another one.
      const own = desk.ctx.lapsing.list().filter((one) => desk.lapsingKeys.of(one.chain).length > 0);
      if (own.every((one) => this.#looks.get(one.chain)?.isOver)) this.#heartbeat.beat();
      return null;
    }
    look.asking ??= this.#ask(desk, chain, look, readState).finally(() => {
      look.asking = null;
    });
    const late = { unknown: null, reason: `What the wallets have paid on ${chain.name} is being read.` };
    return await Promise.race([look.asking, new Promise<SentFinding>((done) => setTimeout(() => done(late), ANSWER_MS).unref?.())]);
  }

  /** Whether a payment that is owed since then may have been signed before, and may still come about. */
  mayBeUnderWay(chain: LapsingChain, owedSince: Date): boolean {
    const look = this.#looks.get(chain.chain);
    return look !== undefined && !look.isOver && look.until !== null && owedSince <= look.begun;
  }

  async #lookOf(desk: Powers, chain: LapsingChain): Promise<Look | null> {
    const known = this.#looks.get(chain.chain);
    if (known !== undefined) return known;
    const begun = desk.ctx.clock.now();
    const alive = this.#heartbeat.last;
    const isShort = alive === undefined || (alive !== null && begun.getTime() - alive.getTime() < SHORT_MS);
    const final = isShort ? null : await newestFinal(chain);
    const until = final === null ? null : expiryFrom(chain, final, begun);
    const nodesNeeded = isShort ? 1 : Math.min(2, chain.nodes.length);
    if (!isShort && until === null) return null;
    const look = this.#looks.get(chain.chain) ?? { begun, until, nodesNeeded, isOver: false, asking: null };
    this.#looks.set(chain.chain, look);
    return look;
  }

  async #ask(desk: Powers, chain: LapsingChain, look: Look, readState: () => Promise<JournalState>): Promise<SentFinding | null> {
    try {
      // Before the history: what is in no block by then and is not valid any more never comes about.
      const final = look.until === null ? null : await newestFinal(chain);
      const { lapsing } = await readState();
      const begunAt = (await findSigningJournal(desk.ctx.db))?.begunAt ?? desk.ctx.clock.now();
      const { sent, nodes } = await listUnknownSent(chain, {
        wallets: await addressesOf(desk, chain),
        since: sentSince(lapsing, chain.chain, begunAt),
        isKnown: (id) => lapsing.holds({ chain: chain.chain, id }),
      });
      if (nodes < look.nodesNeeded)
        return { unknown: null, reason: `${nodes} of ${look.nodesNeeded} nodes of ${chain.name} show what the wallets have paid.` };
      // Another signer may have added it meanwhile.
      const now = sent.length === 0 ? lapsing : (await readState()).lapsing;
      const unknown = sent.filter(({ id }) => !now.holds({ chain: chain.chain, id })).map(({ id }) => id);
      if (unknown.length > 0) return { unknown, reason: sentenceOf(chain, unknown) };
      look.isOver = look.until === null || (final !== null && isPast(look.until, final));
      return null;
    } catch (error) {
      if (!(error instanceof Unreachable) && !(error instanceof Rejected)) throw error;
      return { unknown: null, reason: `No node of ${chain.name} shows what the wallets have paid: ${error.message}` };
    }
  }
}

/** Database and journal were put back, or somebody else signs. */
function sentenceOf({ name }: LapsingChain, unknown: readonly string[]): string {
  return `The wallets have made ${unknown.length} payments on ${name} that the signing journal does not have, the last one ${unknown.at(-1)}: database and journal were put back, or somebody else has a key.`;
}

async function newestFinal(chain: LapsingChain): Promise<ChainPoint | null> {
  const points = await Promise.all((await listAnswering(chain)).map((node) => orSilent(node.finalPoint())));
  return points.reduce((best, point) => (point !== null && (best === null || point.height > best.height) ? point : best), null);
}

/** The last block that may include what was signed up to now. */
function expiryFrom({ longestValid }: LapsingChain, final: ChainPoint, now: Date): Expiry {
  if (longestValid.by === "height") return { by: "height", last: final.height + longestValid.blocks };
  return { by: "time", last: new Date(Math.max(final.at.getTime(), now.getTime()) + longestValid.ms) };
}

async function addressesOf({ lapsingKeys }: Powers, chain: LapsingChain): Promise<string[]> {
  return await Promise.all(lapsingKeys.of(chain.chain).map(async (key) => canonicalOf(chain, await key.address())));
}
