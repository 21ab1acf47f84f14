import { defaultShouldDehydrateQuery, QueryCache, QueryClient } from "@tanstack/react-query";

/** How answers are kept: the live updates say when one is old, so nothing is asked again merely because time went by. */
export function newQueryClient(onError: (error: Error) => void = () => {}): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    defaultOptions: {
      // Offline it is tried and fails in plain sight: what is kept until the network is back would go out behind somebody's back.
      queries: { staleTime: 15_000, retry: false, refetchOnWindowFocus: true, networkMode: "always" },
      mutations: { retry: 0, networkMode: "always" },
      // What the server has begun to read when the page is sent goes on in the browser.
      dehydrate: { shouldDehydrateQuery: (query) => defaultShouldDehydrateQuery(query) || query.state.status === "pending" },
    },
  });
}
