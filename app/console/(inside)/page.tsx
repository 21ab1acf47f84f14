import { type SearchParams, valuesIn } from "../_components/lists/address-params.ts";
import { read, requirePerson, shown, trpc } from "../_trpc/page.ts";
import { titled } from "../_words/server.ts";
import { Overview } from "./overview/overview.tsx";
import { askedOf, lookOf, OVERVIEW_PARAMS } from "./overview/search-params.ts";
import { OVERVIEW } from "./overview/words.ts";

export const generateMetadata = titled(OVERVIEW);

type Props = { searchParams: Promise<SearchParams> };

/** The start page. */
export default async function OverviewPage({ searchParams }: Props) {
  const { partnerId, role } = await requirePerson();
  const look = lookOf(valuesIn(OVERVIEW_PARAMS, await searchParams));
  // A long range can be slow: the browser asks for its plots, and the page does not wait for them.
  const isShort = look === "1h" || look === "24h";
  return await shown(
    <Overview isOperator={partnerId === null} mayAct={role !== "viewer" && role !== "staff"} mayConfirm={role === "admin"} />,
    read(trpc.overview.now.queryOptions()),
    partnerId === null ? undefined : read(trpc.overview.newest.queryOptions()),
    // What they add to the first rows would push down everything below.
    partnerId === null ? read(trpc.approvals.counts.queryOptions()) : undefined,
    role === "admin" ? read(trpc.proposals.list.queryOptions()) : undefined,
    isShort ? read(trpc.overview.figures.queryOptions(askedOf(look))) : undefined,
    isShort ? read(trpc.overview.series.queryOptions(askedOf(look))) : undefined,
  );
}
