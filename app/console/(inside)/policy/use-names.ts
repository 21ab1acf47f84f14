import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../_trpc/client.tsx";
import type { Names } from "./rule-words.ts";

/** The names of the objects in rules. Callers show unknown and deleted ones as such. */
export function useNames(): Names {
  const trpc = useTRPC();
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions());
  const { data: policy } = useQuery(trpc.approvalPolicy.read.queryOptions());
  return {
    partner: (id) => choices?.partners.find((each) => each.id === id)?.name,
    person: (id) => policy?.people.find((each) => each.id === id)?.name,
    chain: (id) => choices?.chains.find(({ chain }) => chain === id)?.name ?? id,
  };
}
