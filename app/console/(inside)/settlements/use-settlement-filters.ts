import { useQuery } from "@tanstack/react-query";
import { CALLBACK_STATES } from "#domain/callback.ts";
import { APPROVAL_CHOICES, SETTLEMENT_VIEWS } from "#domain/settlement-view.ts";
import { VIEW_WORDS } from "../../_components/controls/words.ts";
import { chainChoices, days, type Filters, type Narrowing, narrow, partnerFilter, plain, worded } from "../../_components/lists/filters.ts";
import { FILTERS } from "../../_components/lists/words.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { type ListParams, SETTLEMENTS, type SetParams } from "./search-params.ts";
import { USE_SETTLEMENT_FILTERS } from "./words.ts";

type Translations = WithShared<typeof USE_SETTLEMENT_FILTERS>;
const lower = (words: Record<string, string>, value: string) => (words[value] ?? value).toLowerCase();

/** The filters of settlements. */
export function useSettlementFilters(params: ListParams, set: SetParams, isOperator: boolean): Narrowing<ListParams> {
  const t = useTranslations(USE_SETTLEMENT_FILTERS);
  const [views, common] = [useTranslations(VIEW_WORDS), useTranslations(FILTERS)];
  const { data } = useQuery(useTRPC().settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const { source } = params;
  const amountOf = { needs: { name: "source", hint: t.chooseSourceCurrency }, type: "amount" } as const;
  const filters: Filters<ListParams> = [
    ...ofState(isOperator, t, views),
    isOperator && partnerFilter(data?.partners, common),
    [
      { name: "source", label: t.sourceCurrency, choices: plain(data?.source_currencies), held: (text) => t.from(text) },
      { name: "destination", label: t.destinationCurrency, choices: plain(data?.destination_currencies), held: (text) => t.to(text) },
    ],
    [
      { name: "amount_from", label: t.sourceAmountFrom, held: (amount) => t.atLeast(amount, source), ...amountOf },
      { name: "amount_to", label: t.amountTo, held: (amount) => t.atMost(amount, source), ...amountOf },
    ],
    { name: "chain", label: t.chain, choices: chainChoices(data?.chains), held: (chain) => chain },
    { name: "merchant", label: t.merchant, hint: t.fullReference, held: (text) => t.merchantFilter(text) },
    { name: "batch", held: t.batchFilter },
    days(["from", "to"], [t.createdFromUtc, t.createdTo], common),
    days(["executed_from", "executed_to"], [t.executedFromUtc, t.executedTo], {
      since: t.executedSince,
      until: t.executedUntil,
    }),
  ];
  return narrow(SETTLEMENTS, { params, set, filters, one: t.settlementNoun, many: t.settlements });
}

function ofState(isOperator: boolean, t: Translations, views: typeof VIEW_WORDS): Filters<ListParams> {
  return [
    [
      { name: "view", label: t.state, choices: worded(SETTLEMENT_VIEWS, views) },
      {
        name: "approval",
        label: t.approval,
        choices: worded(APPROVAL_CHOICES, t.approvalStates),
        held: (text) => t.approvalFilter(lower(t.approvalStates, text)),
      },
    ],
    {
      name: "lapsed",
      label: t.lapsedQuote,
      ticked: "yes",
      held: () => t.lapsedQuoteFilter,
    },
    { name: "failed", label: t.failedTodayUtc, ticked: "today", held: () => t.failedTodayFilter },
    isOperator && { name: "mine", label: t.decidedByMe, ticked: "decided", held: () => t.decidedByMeFilter },
    [
      {
        name: "processing",
        label: t.processingMinutes,
        type: "number",
        held: (minutes) => t.processingMinutesFilter(minutes),
      },
      {
        name: "callbacks",
        label: t.callbacks,
        choices: CALLBACK_STATES.map((value) => ({ value, label: t.callbackStates[value] ?? value })),
        held: (text) => t.callback(lower(t.callbackStates, text)),
      },
    ],
    { name: "failure", label: t.failureReason, hint: t.failureReasonHint, held: (text) => t.failedWith(text) },
  ];
}
