import { CALLBACK_STATES } from "#domain/callback.ts";
import { oneOf, type SetParams as SetOf, text } from "../../_components/lists/address-params.ts";
import { beginOf, endOf, given, listParams, type ParamsOf } from "../../_components/lists/list-params.ts";

export const TABS = ["undelivered", "retrying", "all", "endpoints"] as const;

/** `from`, `to`: days in UTC, both inclusive. */
export const CALLBACKS = listParams(
  {
    partner: text,
    state: oneOf(CALLBACK_STATES),
    event: text,
    origin: text,
    cause: text,
    subject: text,
    from: text,
    to: text,
  },
  { apart: { tab: oneOf(TABS, "undelivered") } },
);
export type CallbackParams = ParamsOf<typeof CALLBACKS>;
export type SetParams = SetOf<CallbackParams>;

/** Filters by partner. Only operators may set it. */
export function scopeOf({ partner }: CallbackParams): { partner_id?: string } {
  return partner === null ? {} : { partner_id: partner };
}

/** The parameters as the procedure takes them. The tab determines the state, and only undelivered callbacks have a cause. */
export function pageOf(params: CallbackParams) {
  const { tab, state, event, origin, cause, subject, from, to } = params;
  const wanted = tab === "undelivered" ? "undelivered" : tab === "retrying" ? "pending" : state;
  return {
    ...scopeOf(params),
    ...given({
      state: wanted,
      event,
      origin,
      cause: (tab === "undelivered" || tab === "retrying") && cause,
      subject_id: subject,
      created_from: beginOf(from),
      created_to: endOf(to),
    }),
    ...CALLBACKS.walkOf(params),
  };
}
