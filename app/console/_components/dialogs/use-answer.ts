import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** So long what answered the question before may stand in for what was asked now. */
const STANDS_IN_MS = 2_000;

export type Answer<Data> = {
  data: Data | undefined;
  error: object | null;
  isPending: boolean;
  /** What is shown answers the question before: to be marked as such (`Earlier`). */
  isEarlier: boolean;
  dataUpdatedAt: number;
  refetch: () => unknown;
};

/**
 * A query whose `placeholderData` is what it answered before: that stands in for two seconds, marked, and is gone then. Rows of another
 * question never pass for the answer to this one.
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

/** The same for a page of rows. That nothing fitted before says nothing of what is asked now: it does not stand in at all. */
export function usePage<Data extends { data: readonly unknown[] }>(query: UseQueryResult<Data, object>): Answer<Data> {
  const answer = useAnswer(query);
  if (!answer.isEarlier || answer.data?.data.length !== 0) return answer;
  return { ...answer, data: undefined, isPending: true, isEarlier: false };
}
