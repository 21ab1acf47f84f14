import { useSearchParams } from "next/navigation";
import { startTransition, useCallback, useMemo, useOptimistic, useRef } from "react";
import { type AddressParams, queryWith, type SetParams, type ValuesOf, valuesIn } from "./address-params.ts";

/**
 * State in the address, and how to change it. A change is a step in the history (`push`), or replaces the last one. `params` is a constant
 * of its module.
 */
export function useAddressParams<Params extends AddressParams>(
  params: Params,
  usual: "push" | "replace" = "push",
): [ValuesOf<Params>, SetParams<ValuesOf<Params>>] {
  // The router learns of a change in a transition. Until then the screen shows what was chosen, and the next change builds on it.
  const [query, show] = useOptimistic(useSearchParams().toString());
  const latest = useRef(query);
  latest.current = query;
  const set = useCallback<SetParams<ValuesOf<Params>>>(
    (next, { history } = { history: usual }) => {
      const changed = queryWith(params, latest.current, next);
      if (changed === latest.current) return;
      latest.current = changed;
      startTransition(() => {
        show(changed);
        const address = changed === "" ? window.location.pathname : `?${changed}`;
        if (history === "push") window.history.pushState(null, "", address);
        else window.history.replaceState(null, "", address);
      });
    },
    [params, show, usual],
  );
  return [useMemo(() => valuesIn(params, new URLSearchParams(query)), [params, query]), set];
}
