import { defaultShouldDehydrateQuery, QueryCache, QueryClient } from "@tanstack/react-query";

/** How answers are kept: the live updates say when one is old, so nothing is asked again merely because time went by. */
export function newQueryClient(onError: (error: Error) => void = () => {}): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    defaultOptions: {
      queries: { staleTime: 15_000, retry: false, refetchOnWindowFocus: true },
      // What the server has begun to read when the page is sent goes on in the browser.
      dehydrate: { shouldDehydrateQuery: (query) => defaultShouldDehydrateQuery(query) || query.state.status === "pending" },
    },
  });
}
