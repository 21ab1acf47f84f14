"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../_trpc/client.ts";
import type { SetParams } from "./filters.tsx";
import { type ListParams, NO_FILTER } from "./search-params.ts";

type Tile = { name: "all" | "awaiting_approval" | "processing" | "failed" | "undelivered"; word: string; chosen: Partial<ListParams> };

const TILES: readonly Tile[] = [
  { name: "all", word: "All", chosen: {} },
  { name: "awaiting_approval", word: "Awaiting approval", chosen: { view: "awaiting_approval" } },
  { name: "processing", word: "Processing", chosen: { view: "processing" } },
  { name: "failed", word: "Failed", chosen: { view: "failed" } },
  { name: "undelivered", word: "Undelivered", chosen: { callbacks: "undelivered" } },
];

/** The lists that people open most, with how long they are. */
export function Tiles({ params, set }: { params: ListParams; set: SetParams }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.tiles.queryOptions());
  return (
    <fieldset className="chips tiles">
      <legend className="sr-only">Lists</legend>
      {TILES.map(({ name, word, chosen }) => {
        const counted = data?.[name];
        const isChosen = params.q === null && params.view === (chosen.view ?? null) && params.callbacks === (chosen.callbacks ?? null);
        return (
          <button key={name} type="button" className="chip" aria-pressed={isChosen} onClick={() => set({ ...NO_FILTER, ...chosen })}>
            {word}
            {counted && (
              <span className="chip-count">
                {counted.count.toLocaleString("en")}
                {counted.more && "+"}
              </span>
            )}
          </button>
        );
      })}
    </fieldset>
  );
}
