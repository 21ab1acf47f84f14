import { useQuery } from "@tanstack/react-query";
import { CALLBACK_STATES } from "#domain/callback.ts";
import { APPROVAL_CHOICES, SETTLEMENT_VIEWS } from "#domain/settlement-view.ts";
import { VIEW_WORDS } from "../../_components/controls/words.ts";
import { chainChoices, days, type Filters, type Narrowing, narrow, partnerFilter, plain, worded } from "../../_components/lists/filters.ts";
import { FILTERS } from "../../_components/lists/words.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { useWords } from "../../_words/words.ts";
import { type ListParams, SETTLEMENTS, type SetParams } from "./search-params.ts";
import { USE_SETTLEMENT_FILTERS } from "./words.ts";

type Says = typeof USE_SETTLEMENT_FILTERS;
const lower = (words: Record<string, string>, value: string) => (words[value] ?? value).toLowerCase();

/** By what settlements are narrowed. */
export function useSettlementFilters(params: ListParams, set: SetParams, isOperator: boolean): Narrowing<ListParams> {
  const says = useWords(USE_SETTLEMENT_FILTERS);
  const [views, common] = [useWords(VIEW_WORDS), useWords(FILTERS)];
  const { data } = useQuery(useTRPC().settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const { source } = params;
  const amountOf = { needs: { name: "source", hint: says.chooseSourceCurrency }, type: "amount" } as const;
  const filters: Filters<ListParams> = [
    ...ofState(isOperator, says, views),
    isOperator && partnerFilter(data?.partners, common),
    [
      { name: "source", label: says.sourceCurrency, choices: plain(data?.source_currencies), held: (text) => says.from(text) },
      { name: "destination", label: says.destinationCurrency, choices: plain(data?.destination_currencies), held: (text) => says.to(text) },
    ],
    [
      { name: "amount_from", label: says.sourceAmountFrom, held: (amount) => says.least(amount, source), ...amountOf },
      { name: "amount_to", label: says.to2, held: (amount) => says.most(amount, source), ...amountOf },
    ],
    { name: "chain", label: says.chain, choices: chainChoices(data?.chains), held: (chain) => chain },
    { name: "merchant", label: says.merchant, hint: says.wholeReference, held: (text) => says.merchant2(text) },
    days(["from", "to"], [says.createdFromUtc, says.included], common),
    days(["executed_from", "executed_to"], [says.executedFromUtc, says.untilIncluded], {
      since: says.executedSince,
      until: says.executedUntil,
    }),
  ];
  return narrow(SETTLEMENTS, { params, set, filters, one: says.settlement, many: says.settlements });
}

function ofState(isOperator: boolean, says: Says, views: typeof VIEW_WORDS): Filters<ListParams> {
  return [
    [
      { name: "view", label: says.state, choices: worded(SETTLEMENT_VIEWS, views) },
      {
        ...{ name: "approval", label: says.approval, choices: worded(APPROVAL_CHOICES, says.approvalWords) },
        held: (text) => says.approval2(lower(says.approvalWords, text)),
      },
    ],
    {
      ...{ name: "lapsed", label: says.withLapsedQuote, ticked: "yes" },
      held: () => says.withLapsedQuote2,
    },
    { name: "failed", label: says.failedTodayUtc, ticked: "today", held: () => says.failedTodayUtc2 },
    isOperator && { name: "mine", label: says.decidedByMe, ticked: "decided", held: () => says.decidedByMe2 },
    [
      {
        ...{ name: "processing", label: says.processingMinutesOr, type: "number" },
        held: (minutes) => says.processingMinutesOr2(minutes),
      },
      {
        ...{
          name: "callbacks",
          label: says.callbacks,
          choices: CALLBACK_STATES.map((value) => ({ value, label: says.callbackWords[value] ?? value })),
        },
        held: (text) => says.callback(lower(says.callbackWords, text)),
      },
    ],
    { name: "failure", label: says.failureReason, hint: says.part, held: (text) => says.failedWith(text) },
  ];
}
