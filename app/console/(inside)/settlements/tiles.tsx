import { useQuery } from "@tanstack/react-query";
import type { ViewParams } from "#domain/settlement-view.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { isSameView, type ListParams, paramsOfView, SETTLEMENTS, type SetParams, viewParamsOf } from "./search-params.ts";
import { TILES_WORDS } from "./words.ts";

type Translations = WithShared<typeof TILES_WORDS>;

type Tile = { name: "all" | "awaiting_approval" | "processing" | "failed_today" | "undelivered"; word: string; chosen: ViewParams };

const tilesOf = (t: Translations): readonly Tile[] => [
  { name: "all", word: t.all, chosen: {} },
  { name: "awaiting_approval", word: t.awaitingApproval, chosen: { view: "awaiting_approval" } },
  { name: "processing", word: t.processing, chosen: { view: "processing" } },
  { name: "failed_today", word: t.failedToday, chosen: { failed: "today" } },
  { name: "undelivered", word: t.undelivered, chosen: { callbacks: "undelivered" } },
];

/** The most used lists, with their counts. */
export function Tiles({ params, set }: { params: ListParams; set: SetParams }) {
  const t = useTranslations(TILES_WORDS);
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.tiles.queryOptions());
  const { columns, ...filter } = viewParamsOf(params);
  const choose = (chosen: ViewParams) => set({ ...SETTLEMENTS.noFilter, ...paramsOfView(chosen), columns: columns ?? null });
  return (
    <fieldset className="chips tiles">
      <legend className="sr-only">{t.lists}</legend>
      {tilesOf(t).map(({ name, word, chosen }) => {
        const counted = data?.[name];
        const isChosen = params.q === null && isSameView(filter, chosen);
        return (
          <button key={name} type="button" className="chip" aria-pressed={isChosen} onClick={() => choose(chosen)}>
            {word}
            {counted && (
              <span className="chip-count">
                {t.format.count(counted.count)}
                {counted.more && "+"}
              </span>
            )}
          </button>
        );
      })}
    </fieldset>
  );
}
