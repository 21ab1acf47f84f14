import { defaultShouldDehydrateQuery, QueryCache, QueryClient } from "@tanstack/react-query";

/** Cache settings: live updates invalidate queries, so nothing is refetched only because time has passed. */
export function newQueryClient(onError: (error: Error) => void = () => {}): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    defaultOptions: {
      // Offline, a call fails visibly. A queued one would be sent later when nobody expects it.
      queries: { staleTime: 15_000, retry: false, refetchOnWindowFocus: true, networkMode: "always" },
      mutations: { retry: 0, networkMode: "always" },
      // A read that is pending when the server sends the page continues in the browser.
      dehydrate: { shouldDehydrateQuery: (query) => defaultShouldDehydrateQuery(query) || query.state.status === "pending" },
    },
  });
}
