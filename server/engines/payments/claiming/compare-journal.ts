import { listAllSequences } from "#db/queries/transfers/signing-journal.ts";
import { JournalUnusable } from "#domain/journal.ts";
import { SignerAway } from "#domain/signer.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import { haltForJournal, readJournal } from "#server/services/transfers/read-journal.ts";

type Comparison = { unusable: JournalUnusable | SignerAway | null; behind: boolean };

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
    const { marks } = await readJournal(engine.ctx.db, () => engine.ctx.signers.readJournal(chain.chain));
    if (marks.length === 0) return { unusable: null, behind: false };
    const next = new Map((await listAllSequences(engine.ctx.db, chain.chain)).map((row) => [row.address.toLowerCase(), row.nextNonce]));
    const behind = marks
      .map(({ wallet, mark }) => ({ wallet, signed_nonce: mark, next_nonce: next.get(wallet) ?? null }))
      .filter(({ signed_nonce: mark, next_nonce: own }) => own === null || own <= mark);
    if (behind.length > 0)
      await haltForJournal(engine.ctx, chain.chain, { cause: "database_behind", detail: sentence(behind), evidence: { wallets: behind } });
    return { unusable: null, behind: behind.length > 0 };
  } catch (error) {
    if (error instanceof SignerAway) return { unusable: error, behind: false };
    if (!(error instanceof JournalUnusable)) throw error;
    await haltForJournal(engine.ctx, chain.chain, { cause: "journal_unusable", detail: error.message, evidence: {} });
    return { unusable: error, behind: false };
  }
}

function sentence(behind: readonly { wallet: string; signed_nonce: number; next_nonce: number | null }[]): string {
  const each = behind.map(
    ({ wallet, signed_nonce: mark, next_nonce: next }) =>
      `Nonce ${mark} of ${wallet} was signed, and the database's next nonce is ${next ?? "not known"}.`,
  );
  return `The database was restored, or lost its last commits: the signing journal knows more. ${each.join(" ")} Run \`npm run compare\` and \`npm run journal\` before anybody lifts this.`;
}
