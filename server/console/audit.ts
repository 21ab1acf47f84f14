import { z } from "zod";
import { instantParameter, plainText } from "#contract/primitives.ts";
import { toInside, toWire } from "#contract/wire.ts";
import { differencesOf, sentenceOf } from "#domain/audit-sentence.ts";
import { mayLag, operatorProcedure, personProcedure, router, tenantOf } from "#server/console/trpc/init.ts";
import {
  type AuditFilter,
  type AuditRow,
  browseAuditLog,
  listAuditChoices,
  readSealState,
  type SealState,
} from "#server/services/audit/browse-audit-log.ts";
import { verifyAuditLog } from "#server/services/audit/verify-audit-log.ts";
import type { SessionHolder } from "#server/services/people/sessions/sessions.ts";
import { logWalkFields, readIdWalk, renderWalked } from "./walk.ts";

const ACTORS = ["keys", "people", "system"] as const;
const object = plainText(1, 128);

/** What the log may be narrowed to. */
export const auditFilter = z.strictObject({
  /** A person's id, `keys`, `people` or `system`. */
  actor: z.union([z.enum(ACTORS), z.uuid()]).optional(),
  action: plainText(1, 64)
    .regex(/^[a-z_]+\.[a-z_]+$/, { error: "must be an action" })
    .optional(),
  object: object.optional(),
  partner_id: z.uuid().optional(),
  from: instantParameter.optional(),
  to: instantParameter.optional(),
});

const OF_ONE_OBJECT = 50;
/** How often a page hears how far a verification has come. */
const PROGRESS_MS = 300;

type Verified = Awaited<ReturnType<typeof verifyAuditLog>>;

/** The audit log: a partner's people see what concerns their own partner, the operator's everything. */
export const auditRouter = router({
  list: personProcedure
    .use(mayLag)
    .input(auditFilter.extend(logWalkFields))
    .query(async ({ ctx: { services, holder }, input }) => {
      const { limit, cursor, direction, ...asked } = input;
      const walk = readIdWalk({ limit, cursor, direction }, "audit");
      const page = await browseAuditLog(services, { filter: readAuditFilter(asked, holder), ...walk });
      return renderWalked(page, (row) => renderAuditEntry(row, holder.partnerId === null));
    }),

  /** What happened to one thing, newest first: for the tab that every page about a thing has. */
  ofObject: personProcedure
    .input(z.strictObject({ object_id: object, cursor: logWalkFields.cursor }))
    .query(async ({ ctx: { services, holder }, input }) => {
      const filter = readAuditFilter({ object: input.object_id }, holder);
      const walk = readIdWalk({ ...input, limit: OF_ONE_OBJECT, direction: "older" }, "audit");
      return renderWalked(await browseAuditLog(services, { filter, ...walk }), (row) => renderAuditEntry(row, holder.partnerId === null));
    }),

  choices: personProcedure.query(async ({ ctx: { services, holder } }) => await listAuditChoices(services, tenantOf(holder))),

  /** The length of the log's chain, and the result of its last verification. */
  state: operatorProcedure().query(async ({ ctx: { services } }) => {
    const { seq, unsealed, verification } = await readSealState(services);
    return { seq, unsealed, verification: verification && renderVerification(verification) };
  }),

  /** Verifies the whole chain: how far it has come, and at last what was found. Who stops listening stops it. */
  verify: operatorProcedure().subscription(async function* ({ ctx: { services, holder, ending }, signal }) {
    let progress = { checked: 0, of: 0 };
    const running = verifyAuditLog(services, {
      userId: holder.userId,
      signal: AbortSignal.any([ending, ...(signal ? [signal] : [])]),
      onPage: (reached) => {
        progress = reached;
      },
    });
    for (let found: Verified | null = null; found === null; ) {
      found = await Promise.race([running, new Promise<null>((resolve) => setTimeout(resolve, PROGRESS_MS, null))]);
      yield { ...progress, verification: found && renderVerification({ ...found, by: holder.name }) };
    }
  }),
});

/** The log's filter; the partner is the session's, and only the operator's people may name one. */
export function readAuditFilter(asked: z.output<typeof auditFilter>, holder: SessionHolder): AuditFilter {
  const { partnerId, actor, object: objectId, ...same } = toInside(asked);
  const group = ACTORS.find((each) => each === actor);
  return {
    ...same,
    ...tenantOf(holder, partnerId),
    ...(objectId && { objectId }),
    ...(actor && { actor: group ?? { userId: actor, ...(holder.partnerId !== null && { of: holder.partnerId }) } }),
  };
}

/** The operator's own actions on a partner's objects, which only the operator sees. */
const OWN_BUSINESS: ReadonlySet<string> = new Set(["pair_terms.set", "pair_terms.override_withdrawn"]);

/** `inside`: for operators. Partners' users see the operator's users and keys as one actor: who it was is internal to the operator. */
export function renderAuditEntry(row: AuditRow, inside: boolean) {
  const isOurs = row.actorType === "operator_key" || (row.actorType === "user" && row.actorPartnerId === null);
  const hidden = !inside && isOurs;
  const change = !inside && OWN_BUSINESS.has(row.action) ? {} : row.change;
  return {
    ...toWire(row, "id", "at", "seq", "action", "partner"),
    actor: hidden ? { type: "operator", name: null } : { type: row.actorType, name: row.actorName },
    sentence: sentenceOf({ ...row, change }),
    object: { id: row.objectId, name: row.objectName },
    reason: hidden && row.action !== "settlement.rejected" ? null : row.reason,
    differences: differencesOf(change),
    request_id: hidden ? null : row.requestId,
  };
}

function renderVerification(verification: NonNullable<SealState["verification"]>) {
  const named = verification.named.map((flaw) => toWire(flaw, "seq", "entryId", "flaw"));
  return { ...toWire(verification, "at", "by", "seq", "durationMs", "flaws"), named };
}
