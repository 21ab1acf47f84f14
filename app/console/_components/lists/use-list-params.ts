import { useQueryStates } from "nuqs";
import type { ParserMap } from "nuqs/server";
import type { ParamsOf, SetParams } from "./list-params.ts";

/** The list's state from the URL, and how to change it. Each change is a history entry unless stated otherwise. */
export function useListParams<List extends { params: ParserMap }>(list: List): [ParamsOf<List>, SetParams<ParamsOf<List>>] {
  const [params, setParams] = useQueryStates(list.params, { history: "push", shallow: true });
  return [params as ParamsOf<List>, (next, options) => void setParams(next as Parameters<typeof setParams>[0], options)];
}
