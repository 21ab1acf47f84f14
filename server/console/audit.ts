import { auditFilter, auditOfObject, auditPage, renderAuditEntry, renderVerification } from "#contract/console/audit.ts";
import { operatorProcedure, personProcedure, router, tenantOf } from "#server/console/trpc/init.ts";
import { browseAuditLog, listAuditChoices } from "#server/services/audit/browse-audit-log.ts";
import { readSealState } from "#server/services/audit/read-seal-state.ts";
import { verifyAuditLog } from "#server/services/audit/verify-audit-log.ts";
import { readAuditFilter } from "./audit-filter.ts";
import { readIdWalk, renderWalked } from "./walk.ts";

const OF_ONE_OBJECT = 50;

/** The audit log: a partner's people see what concerns their own partner, the operator's everything. */
export const auditRouter = router({
  list: personProcedure.input(auditPage).query(async ({ ctx: { services, holder }, input }) => {
    const page = await browseAuditLog(services, { filter: readAuditFilter(input, holder), ...readIdWalk(input, "audit") });
    return renderWalked(page, (row) => renderAuditEntry(row, holder.partnerId === null));
  }),

  /** What happened to one thing, newest first: for the tab that every page about a thing has. */
  ofObject: personProcedure.input(auditOfObject).query(async ({ ctx: { services, holder }, input }) => {
    const filter = readAuditFilter(auditFilter.parse({ object: input.object_id }), holder);
    const walk = readIdWalk({ ...input, limit: OF_ONE_OBJECT, direction: "older" }, "audit");
    return renderWalked(await browseAuditLog(services, { filter, ...walk }), (row) => renderAuditEntry(row, holder.partnerId === null));
  }),

  choices: personProcedure.query(async ({ ctx: { services, holder } }) => await listAuditChoices(services, tenantOf(holder))),

  /** How far the chain over the log goes, and what came of its last verification. */
  state: operatorProcedure().query(async ({ ctx: { services } }) => {
    const { seq, unsealed, verification } = await readSealState(services);
    return { seq, unsealed, verification: verification && renderVerification(verification) };
  }),

  verify: operatorProcedure().mutation(async ({ ctx: { services, holder } }) => {
    const verification = await verifyAuditLog(services, { userId: holder.userId });
    return renderVerification({ ...verification, by: holder.name });
  }),
});
