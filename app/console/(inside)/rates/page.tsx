import type { Metadata } from "next";
import { read, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { PartnerPairs } from "./partner-pairs.tsx";
import { RatesScreen } from "./rates-screen.tsx";

export const metadata: Metadata = { title: "Rates & pairs" };

export default async function RatesPage() {
  const { partnerId } = await requirePerson();
  return await shown(
    partnerId === null ? <RatesScreen /> : <PartnerPairs />,
    read(trpc.settlements.choices.queryOptions()),
    partnerId === null ? read(trpc.rates.terms.queryOptions()) : read(trpc.rates.pairs.queryOptions()),
  );
}
