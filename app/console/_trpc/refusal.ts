import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "#server/console/router.ts";

type RouterError = TRPCClientError<AppRouter>;
/** What a procedure answered instead: the members of the surfaces' problem documents. */
export type RefusalShown = NonNullable<RouterError["data"]>["refusal"];

/** What a route beside the procedures refused, in their shape. */
export class CallRefused extends Error {
  readonly refusal: RefusalShown;
  constructor(refusal: RefusalShown) {
    super(refusal.title);
    this.refusal = refusal;
  }
}

/** The refusal in an error; null: no answer of ours came at all (the network, a restart). */
export function refusalOf(error: unknown): RefusalShown | null {
  if (error instanceof CallRefused) return error.refusal;
  if (!(error instanceof TRPCClientError)) return null;
  const known: RouterError = error;
  return known.data?.refusal ?? null;
}
