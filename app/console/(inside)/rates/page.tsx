import { read, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { PartnerPairs } from "./partner-pairs.tsx";
import { RatesScreen } from "./rates-screen.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function RatesPage() {
  const { partnerId } = await requirePerson();
  return await shown(
    partnerId === null ? <RatesScreen /> : <PartnerPairs />,
    read(trpc.settlements.choices.queryOptions()),
    partnerId === null ? read(trpc.rates.terms.queryOptions()) : read(trpc.rates.pairs.queryOptions()),
  );
}
