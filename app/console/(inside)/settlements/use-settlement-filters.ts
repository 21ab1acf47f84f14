import { useQuery } from "@tanstack/react-query";
import { CALLBACK_STATES } from "#domain/callback.ts";
import { APPROVAL_CHOICES, type ApprovalChoice, SETTLEMENT_VIEWS } from "#domain/settlement-view.ts";
import { VIEW_WORDS } from "../../_components/controls/values.tsx";
import { chainChoices, days, type Filters, type Narrowing, narrow, partnerFilter, plain, worded } from "../../_components/lists/filters.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { type ListParams, SETTLEMENTS, type SetParams } from "./search-params.ts";

const CALLBACK_WORDS: Record<string, string> = { pending: "Retrying", delivered: "Delivered", undelivered: "Undelivered" };
const APPROVAL_WORDS: Record<ApprovalChoice, string> = {
  none: "Not needed",
  pending: "Pending",
  approved: "Approved",
  rejected: "Rejected",
};
const lower = (words: Record<string, string>, value: string) => (words[value] ?? value).toLowerCase();

/** By what settlements are narrowed. */
export function useSettlementFilters(params: ListParams, set: SetParams, isOperator: boolean): Narrowing<ListParams> {
  const { data } = useQuery(useTRPC().settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const { source } = params;
  const amountOf = { needs: { name: "source", hint: "Choose a source currency first" }, type: "amount" } as const;
  const filters: Filters<ListParams> = [
    ...ofState(isOperator),
    isOperator && partnerFilter(data?.partners),
    [
      { name: "source", label: "Source currency", choices: plain(data?.source_currencies), held: (text) => `from ${text}` },
      { name: "destination", label: "Destination currency", choices: plain(data?.destination_currencies), held: (text) => `to ${text}` },
    ],
    [
      { name: "amount_from", label: "Source amount from", held: (amount) => `at least ${amount} ${source ?? ""}`, ...amountOf },
      { name: "amount_to", label: "to", held: (amount) => `at most ${amount} ${source ?? ""}`, ...amountOf },
    ],
    { name: "chain", label: "Chain", choices: chainChoices(data?.chains), held: (chain) => chain },
    { name: "merchant", label: "Merchant", hint: "The whole reference", held: (text) => `merchant ${text}` },
    days(["from", "to"], ["Created from (UTC)", "to, included"]),
    days(["executed_from", "executed_to"], ["Executed from (UTC)", "until, included"], "executed "),
  ];
  return narrow(SETTLEMENTS, { params, set, filters, one: "settlement", many: "settlements" });
}

function ofState(isOperator: boolean): Filters<ListParams> {
  return [
    [
      { name: "view", label: "State", choices: worded(SETTLEMENT_VIEWS, VIEW_WORDS) },
      {
        ...{ name: "approval", label: "Approval", choices: worded(APPROVAL_CHOICES, APPROVAL_WORDS) },
        held: (text) => `approval ${lower(APPROVAL_WORDS, text)}`,
      },
    ],
    {
      ...{ name: "lapsed", label: "With a lapsed quote, also while approval is awaited", ticked: "yes" },
      held: () => "with a lapsed quote",
    },
    { name: "failed", label: "Failed today (UTC)", ticked: "today", held: () => "failed today (UTC)" },
    isOperator && { name: "mine", label: "Decided by me", ticked: "decided", held: () => "decided by me" },
    [
      {
        ...{ name: "processing", label: "Processing for minutes, or more", type: "number" },
        held: (minutes) => `processing for ${minutes} minutes or more`,
      },
      {
        ...{
          name: "callbacks",
          label: "Callbacks",
          choices: CALLBACK_STATES.map((value) => ({ value, label: CALLBACK_WORDS[value] ?? value })),
        },
        held: (text) => `callback ${lower(CALLBACK_WORDS, text)}`,
      },
    ],
    { name: "failure", label: "Failure reason", hint: "A part of it", held: (text) => `failed with “${text}”` },
  ];
}
