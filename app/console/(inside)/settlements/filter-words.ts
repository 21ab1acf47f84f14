import type { ApprovalChoice } from "#domain/settlement-view.ts";
import { VIEW_WORDS } from "../../_components/controls/status-badge.tsx";
import type { ListParams } from "./search-params.ts";

export const CALLBACK_WORDS = { pending: "Retrying", delivered: "Delivered", undelivered: "Undelivered" };
export const APPROVAL_WORDS: Record<ApprovalChoice, string> = {
  none: "Not needed",
  pending: "Pending",
  approved: "Approved",
  rejected: "Rejected",
};

type Active = { text: string; without: Partial<ListParams> };
type Names = { partners?: readonly { id: string; name: string }[] };

/** The filters that hold, in words, each with what takes it away. */
export function activeFilters(params: ListParams, names: Names): Active[] {
  return [...whatItIs(params), ...whoseItIs(params, names), ...whenItWas(params)].filter((each) => each !== null);
}

function whatItIs({ view, approval, lapsed, callbacks, processing, failed, failure, mine }: ListParams): (Active | null)[] {
  return [
    view && { text: VIEW_WORDS[view], without: { view: null } },
    approval && { text: `approval ${APPROVAL_WORDS[approval].toLowerCase()}`, without: { approval: null } },
    lapsed && { text: "with a lapsed quote", without: { lapsed: null } },
    callbacks && { text: `callback ${CALLBACK_WORDS[callbacks].toLowerCase()}`, without: { callbacks: null } },
    processing === null ? null : { text: `processing for ${processing} minutes or more`, without: { processing: null } },
    failed && { text: "failed today (UTC)", without: { failed: null } },
    failure === null ? null : { text: `failed with “${failure}”`, without: { failure: null } },
    mine && { text: "decided by me", without: { mine: null } },
  ];
}

function whoseItIs(params: ListParams, { partners }: Names): (Active | null)[] {
  const { partner, source, destination, chain, merchant, amount_from, amount_to } = params;
  const name = partners?.find(({ id }) => id === partner)?.name ?? "one partner";
  return [
    partner === null ? null : { text: name, without: { partner: null } },
    source === null ? null : { text: `from ${source}`, without: { source: null, amount_from: null, amount_to: null } },
    destination === null ? null : { text: `to ${destination}`, without: { destination: null } },
    amount_from === null ? null : { text: `at least ${amount_from} ${source ?? ""}`, without: { amount_from: null } },
    amount_to === null ? null : { text: `at most ${amount_to} ${source ?? ""}`, without: { amount_to: null } },
    chain === null ? null : { text: chain, without: { chain: null } },
    merchant === null ? null : { text: `merchant ${merchant}`, without: { merchant: null } },
  ];
}

function whenItWas({ from, to, executed_from, executed_to }: ListParams): (Active | null)[] {
  return [
    from === null ? null : { text: `since ${from}`, without: { from: null } },
    to === null ? null : { text: `until ${to}`, without: { to: null } },
    executed_from === null ? null : { text: `executed since ${executed_from}`, without: { executed_from: null } },
    executed_to === null ? null : { text: `executed until ${executed_to}`, without: { executed_to: null } },
  ];
}
