import type { AuditFilterInput } from "#contract/console/audit.ts";
import type { AuditFilter } from "#server/services/audit/browse-audit-log.ts";
import type { SessionHolder } from "#server/services/people/sessions/authenticate-session.ts";
import { tenantOf } from "./trpc/init.ts";

/** The log's filter; the partner is the session's, and only the operator's people may name one. */
export function readAuditFilter(input: AuditFilterInput, holder: SessionHolder): AuditFilter {
  const own = tenantOf(holder);
  const { actor } = input;
  return {
    ...(own.partnerId === undefined && input.partner_id !== undefined ? { partnerId: input.partner_id } : own),
    ...(actor !== undefined && {
      actor:
        actor === "keys" || actor === "people" || actor === "system"
          ? actor
          : { userId: actor, ...(own.partnerId !== undefined && { of: own.partnerId }) },
    }),
    ...(input.action !== undefined && { action: input.action }),
    ...(input.object !== undefined && { objectId: input.object }),
    ...(input.from && { from: input.from }),
    ...(input.to && { to: input.to }),
  };
}
