import { useQuery } from "@tanstack/react-query";
import type { WrittenRule } from "#domain/policy-rule.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { RuleChanges } from "../policy/rule-changes.tsx";

/** The differences between a proposed version of the approval policy and the one in force. */
export function ProposedPolicy({ rules }: { rules: readonly WrittenRule[] }) {
  const { data } = useQuery(useTRPC().approvalPolicy.read.queryOptions());
  return data && <RuleChanges before={data.versions[0]?.rules ?? []} after={rules} />;
}
