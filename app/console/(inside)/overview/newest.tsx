import { Empty } from "../../_components/lists/list-states.tsx";
import { Table } from "../../_components/lists/table.tsx";
import { useTranslations } from "../../_words/words.ts";
import { columnsFor, HIDDEN_AT_FIRST, type Row } from "../settlements/columns.tsx";
import { COLUMNS } from "../settlements/words.ts";
import { OVERVIEW } from "./words.ts";

/** A partner's newest settlements. */
export function Newest({ rows }: { rows: readonly Row[] }) {
  const [t, columns] = [useTranslations(OVERVIEW), useTranslations(COLUMNS)];
  if (rows.length === 0) return <Empty title={t.noSettlementsYet} more={t.noneYetMore} />;
  return (
    <Table
      caption={t.newestCaption}
      columns={columnsFor(false, columns).filter(({ id }) => !HIDDEN_AT_FIRST.includes(id))}
      rows={rows}
      keyOf={({ settlement }) => settlement.tx_id}
    />
  );
}
