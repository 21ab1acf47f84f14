import { z } from "zod";
import { readChainEnd } from "#domain/audit-key.ts";

/** An end of the audit log's chain. */
export const chainEnd = z.string().transform((text, check) => {
  const end = readChainEnd(text);
  if (end === null) check.addIssue("must be an end of the audit log's chain, as `npm run audit -- --anchor` prints it: number:hash");
  return end ?? z.NEVER;
});
