import type { LapsingChain } from "#domain/lapsing-chain.ts";
import { type LapsingEntry, owedBy } from "#domain/lapsing-journal.ts";
import { judgeReports } from "#domain/lapsing-report.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { askNodes, listAnswering } from "#server/services/ledger/ask-lapsing-nodes.ts";

/**
 * Why an attempt of the journal will never pay its owner: it has lapsed, or it failed in a final block. The signer asks the nodes of its own
 * settings, two where two are configured. Null: that is not proven.
 */
export async function proveEnded(chain: LapsingChain, attempt: LapsingEntry): Promise<string | null> {
  const { id, after, expiry, bytes } = attempt;
  try {
    const reports = await askNodes(await listAnswering(chain), chain.identity, { id, after, expiry, bytes });
    const asked = { state: "sent" as const, after, expiry, owed: owedBy(attempt) };
    const verdict = judgeReports(asked, reports, { configured: chain.nodes.length, toPay: chain.nodes.length });
    if (verdict.next === "lapse") return "It has lapsed: the final chain is past its expiry, and no block contains it.";
    return verdict.next === "fail" && verdict.end.outcome === "failed" ? `It failed in a final block: ${verdict.end.reason}` : null;
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Rejected) return null;
    throw error;
  }
}
