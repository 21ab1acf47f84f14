import { read, requireOperator, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { Queue } from "./queue.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

/** Everything that waits for a decision: first what this person may decide. */
export default async function QueuePage() {
  const { role } = await requireOperator();
  const mayDecide = role !== "viewer";
  return await shown(
    <Queue mayDecide={mayDecide} />,
    read(trpc.work.queue.queryOptions()),
    mayDecide ? read(trpc.work.absence.queryOptions()) : undefined,
  );
}
