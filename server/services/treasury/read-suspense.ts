import { type DeclaredFunding, listDeclaredFundings } from "#db/queries/transfers/declared-fundings.ts";
import { listExplainedLines, listSuspense, sumSuspense } from "#db/queries/transfers/suspense-lines.ts";
import type { SuspenseLine, SuspenseSum } from "#domain/suspense-line.ts";
import type { Uses } from "#server/context.ts";

const SHOWN = 200;
const EXPLAINED = 25;

export type Suspense = {
  open: SuspenseLine[];
  explained: SuspenseLine[];
  sums: SuspenseSum[];
  /** Deposits that are declared, and that no movement has answered to yet. */
  declared: (DeclaredFunding & { chain: string })[];
};

/** Unexplained movements on the chains, oldest first, and those explained lately. Reads only the database. */
export async function readSuspense(ctx: Uses<"db" | "chains">): Promise<Suspense> {
  const [open, explained, sums, ...declared] = await Promise.all([
    listSuspense(ctx.db, SHOWN),
    listExplainedLines(ctx.db, EXPLAINED),
    sumSuspense(ctx.db),
    ...ctx.chains.list().map(async ({ chain }) => (await listDeclaredFundings(ctx.db, chain)).map((one) => ({ ...one, chain }))),
  ]);
  return { open, explained, sums, declared: declared.flat() };
}
