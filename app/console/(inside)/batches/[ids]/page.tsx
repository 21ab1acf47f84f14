import { MOST_PARTS } from "#domain/payment-file.ts";
import { orNotFound, requirePerson, serverQueries, shown, trpc } from "../../../_trpc/page.ts";
import { titled } from "../../../_words/server.ts";
import { BatchPage } from "./batch-page.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

/** One batch, or all that came from a file: their ids, separated by commas. */
export default async function Batch({ params }: { params: Promise<{ ids: string }> }) {
  const { role } = await requirePerson();
  const ids = decodeURIComponent((await params).ids)
    .split(",")
    .slice(0, MOST_PARTS);
  await orNotFound(serverQueries().fetchQuery(trpc.batches.byIds.queryOptions({ batch_ids: ids })));
  return await shown(<BatchPage ids={ids} mayPay={role === "owner"} />);
}
