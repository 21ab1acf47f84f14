import { read, requireOwner, shown, trpc } from "../../../_trpc/page.ts";
import { titled } from "../../../_words/server.ts";
import { Upload } from "./upload.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function UploadPayments() {
  await requireOwner();
  return await shown(<Upload />, read(trpc.batches.keys.queryOptions()), read(trpc.settlements.choices.queryOptions()));
}
