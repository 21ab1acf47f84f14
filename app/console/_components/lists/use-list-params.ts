import { useQueryStates } from "nuqs";
import type { ParserMap } from "nuqs/server";
import type { ParamsOf, SetParams } from "./list-params.ts";

/** What the address says of a list, and how it is changed: each change a step in the history, unless it says otherwise. */
export function useListParams<List extends { params: ParserMap }>(list: List): [ParamsOf<List>, SetParams<ParamsOf<List>>] {
  const [params, setParams] = useQueryStates(list.params, { history: "push", shallow: true });
  return [params as ParamsOf<List>, (next, options) => void setParams(next as Parameters<typeof setParams>[0], options)];
}
