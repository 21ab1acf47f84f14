import { requireOperator, shown } from "../../../_trpc/page.ts";
import { titled } from "../../../_words/server.ts";
import { BankFile } from "./bank-file.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function BankFilePage() {
  await requireOperator();
  return await shown(<BankFile />);
}
