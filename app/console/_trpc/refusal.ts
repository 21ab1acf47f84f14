import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "#server/console/router.ts";

type RouterError = TRPCClientError<AppRouter>;
/** A procedure's refusal: the members of the surfaces' problem documents. */
export type RefusalShown = NonNullable<RouterError["data"]>["refusal"];

/** A refusal of a route outside tRPC, in tRPC's shape. */
export class CallRefused extends Error {
  readonly refusal: RefusalShown;
  constructor(refusal: RefusalShown) {
    super(refusal.title);
    this.refusal = refusal;
  }
}

/** The refusal in an error; null: there was no answer from the service at all (network, restart). */
export function refusalOf(error: unknown): RefusalShown | null {
  if (error instanceof CallRefused) return error.refusal;
  if (!(error instanceof TRPCClientError)) return null;
  const known: RouterError = error;
  return known.data?.refusal ?? null;
}
