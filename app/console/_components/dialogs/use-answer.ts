import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** How long the previous query's answer may show while the new one loads. */
const STANDS_IN_MS = 2_000;

export type Answer<Data> = {
  data: Data | undefined;
  error: object | null;
  isPending: boolean;
  /** The content belongs to the previous query and must be marked as such (`Earlier`). */
  isEarlier: boolean;
  dataUpdatedAt: number;
  refetch: () => unknown;
};

/**
 * A query whose `placeholderData` is its previous answer. That shows for two seconds, marked, and then disappears. Rows of another query
 * never pass as the answer to this one.
 */
export function useAnswer<Data>(query: UseQueryResult<Data, object>): Answer<Data> {
  const { data, error, isPending, isPlaceholderData, dataUpdatedAt, refetch } = query;
  const [tooLong, setTooLong] = useState(false);
  useEffect(() => {
    setTooLong(false);
    if (!isPlaceholderData) return;
    const timer = setTimeout(() => setTooLong(true), STANDS_IN_MS);
    return () => clearTimeout(timer);
  }, [isPlaceholderData]);
  const isGone = isPlaceholderData && tooLong;
  return {
    data: isGone ? undefined : data,
    error,
    isPending: isPending || isGone,
    isEarlier: isPlaceholderData && !isGone,
    dataUpdatedAt,
    refetch,
  };
}

/** The same for a page of rows. An empty previous answer says nothing about the new query, so it never shows. */
export function usePage<Data extends { data: readonly unknown[] }>(query: UseQueryResult<Data, object>): Answer<Data> {
  const answer = useAnswer(query);
  if (!answer.isEarlier || answer.data?.data.length !== 0) return answer;
  return { ...answer, data: undefined, isPending: true, isEarlier: false };
}
