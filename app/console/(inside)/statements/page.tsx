import { type SearchParams, valuesIn } from "../../_components/lists/address-params.ts";
import { read, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { monthOf, STATEMENT_PARAMS } from "./search-params.ts";
import { Statements } from "./statements.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

/** A partner's month, which ties to the ledger, and the partner's own file against it. */
export default async function StatementsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { partnerId } = await requirePerson();
  const params = valuesIn(STATEMENT_PARAMS, await searchParams);
  const month = monthOf(params.month);
  const asked = partnerId ?? params.partner;
  return await shown(
    <Statements isOperator={partnerId === null} />,
    read(trpc.settlements.choices.queryOptions()),
    asked === null ? undefined : read(trpc.statements.month.queryOptions({ month, partner_id: params.partner })),
  );
}
