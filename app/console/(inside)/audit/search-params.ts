import { text } from "../../_components/lists/address-params.ts";
import { beginOf, endOf, given, listParams, type ParamsOf, uuidOf } from "../../_components/lists/list-params.ts";

/** `from`, `to`: days in UTC, both inclusive. */
export const AUDIT = listParams({ actor: text, action: text, object: text, partner: text, from: text, to: text }, { size: 50 });
type AuditParams = ParamsOf<typeof AUDIT>;

const KINDS = ["people", "keys", "system"] as const;

/** The filter for the procedures; invalid values are dropped. */
export function filterOf({ actor, action, object, partner, from, to }: AuditParams) {
  return given({
    actor: KINDS.find((each) => each === actor) ?? uuidOf(actor),
    action: action !== null && /^[a-z_]+\.[a-z_]+$/.test(action) && action,
    object: object?.slice(0, 128),
    partner_id: uuidOf(partner),
    from: beginOf(from),
    to: endOf(to),
  });
}

export function pageOf(params: AuditParams) {
  return { ...filterOf(params), ...AUDIT.walkOf(params) };
}
