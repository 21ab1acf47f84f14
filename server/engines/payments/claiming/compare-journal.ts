import { ensureSigningJournal, listAllSequences, noteJournalBegun, noteJournalRecords } from "#db/queries/transfers/signing-journal.ts";
import type { HaltCause, HaltScope } from "#domain/halt-scope.ts";
import { JournalUnusable } from "#domain/journal.ts";
import { type JournalMarks, SignerAway } from "#domain/signer.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import { haltScope, isHalted } from "#server/services/halts/halt-scope.ts";

type Comparison = { unusable: JournalUnusable | SignerAway | null; behind: boolean };
type Found = { cause: HaltCause; detail: string; evidence: Record<string, unknown> };

/**
 * Compares the database with the signing journal, before anything is signed or sent. A database that knows of fewer signed nonces than the
 * journal was restored, or has lost its last commits: the chain is halted, whatever nodes say. A journal that cannot be trusted halts it, too.
 *
 * @returns `unusable`: the journal cannot be trusted, or the signer does not answer: nothing of the chain may be signed or sent in this pass. `behind`: no further nonce may
 * be signed in this pass, even if people lift the halt meanwhile.
 */
export async function compareJournal(pass: Pass): Promise<Comparison> {
  const { chain, engine } = pass;
  try {
    // The journal is read before the database: what another worker signs at this moment is stored before it is in the journal.
    const { marks } = await readJournal(pass);
    if (marks.length === 0) return { unusable: null, behind: false };
    const next = new Map((await listAllSequences(engine.ctx.db, chain.chain)).map((row) => [row.address.toLowerCase(), row.nextNonce]));
    const behind = marks
      .map(({ wallet, mark }) => ({ wallet, signed_nonce: mark, next_nonce: next.get(wallet) ?? null }))
      .filter(({ signed_nonce: mark, next_nonce: own }) => own === null || own <= mark);
    if (behind.length > 0) await halt(pass, { cause: "database_behind", detail: sentence(behind), evidence: { wallets: behind } });
    return { unusable: null, behind: behind.length > 0 };
  } catch (error) {
    if (error instanceof SignerAway) return { unusable: error, behind: false };
    if (!(error instanceof JournalUnusable)) throw error;
    await halt(pass, { cause: "journal_unusable", detail: error.message, evidence: {} });
    return { unusable: error, behind: false };
  }
}

/** Has the signer read its journal, and notes in the database how far it is. The first one of an installation begins it. */
async function readJournal({ chain, engine }: Pass): Promise<JournalMarks> {
  const { ctx } = engine;
  const { installation, begunAt, records } = await ensureSigningJournal(ctx.db);
  const reading = await ctx.signers.readJournal(chain.chain);
  if (begunAt === null) await noteJournalBegun(ctx.db, installation);
  if (reading.durable > records) await noteJournalRecords(ctx.db, installation, reading.durable);
  return reading;
}

function sentence(behind: readonly { wallet: string; signed_nonce: number; next_nonce: number | null }[]): string {
  const each = behind.map(
    ({ wallet, signed_nonce: mark, next_nonce: next }) =>
      `Nonce ${mark} of ${wallet} was signed, and the database's next nonce is ${next ?? "not known"}.`,
  );
  return `The database was restored, or lost its last commits: the signing journal knows more. ${each.join(" ")} Run \`npm run compare\` and \`npm run journal\` before anybody lifts this.`;
}

async function halt({ chain, engine }: Pass, { cause, detail, evidence }: Found): Promise<void> {
  const { db, log } = engine.ctx;
  const scope: HaltScope = { kind: "chain", key: chain.chain };
  if (await isHalted(db, [scope])) return;
  const made = await db.transaction((tx) => haltScope(tx, { scope, cause, detail, evidence }));
  if (made !== null) log.error({ chain: chain.chain, cause, detail }, "a chain is halted: the signing journal and the database disagree");
}
