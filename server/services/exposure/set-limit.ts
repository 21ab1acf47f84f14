import { exposureLimitBody } from "#contract/proposal-bodies.ts";
import { toWire } from "#contract/wire.ts";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { insertLimit, listLimits, listReplacedLimits, lockLimit } from "#db/queries/exposure/limits.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findPartner } from "#db/queries/partners/partners.ts";
import { actorId, type By, SYSTEM } from "#domain/access.ts";
import { DEFAULT_LIMITS } from "#domain/default-limits.ts";
import type { Limit, LimitTerms } from "#domain/exposure-limit.ts";
import { type Fault, Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import { faultsOfLimit, LIMIT_ID } from "#domain/written-limit.ts";
import type { Uses } from "#server/context.ts";
import { type ProposalKind, type Proposed, propose } from "#server/services/proposals/propose.ts";
import { limitTermsOf } from "#server/services/proposals/signed-rules.ts";

type Body = ReturnType<typeof exposureLimitBody.parse>;

/** In live mode two people change a limit for everybody: one who could lift it alone would not be limited. */
export const EXPOSURE_LIMIT: ProposalKind<Body, Limit, object> = {
  kind: "exposure_limit",
  isSigned: true,
  permission: "administer",
  schema: exposureLimitBody,
  show: (body) => body,
  carryOut: (ctx, { by, body, reason }) =>
    ctx.db.transaction((tx) =>
      put(tx, { by, id: body.id, terms: limitTermsOf(body), expectedVersion: body.expected_version, reason: reason ?? "" }),
    ),
};

export type SetLimit = {
  by: By;
  /** A name for it, the same for all of its versions. */
  id: string;
  terms: LimitTerms;
  /** The version that was on the screen; 0: there was none. */
  expectedVersion: number;
  reason: string;
};

/**
 * Puts a limit in force, changes it, or turns it off: a new version, which counts on the very next confirmation, and before signing for what
 * is confirmed already. In live mode a second person confirms it first.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `validation_failed` with every fault, `not_found` for an unknown partner, `conflict` when
 *   it has changed since it was read, or the same is proposed already
 */
export async function setLimit(ctx: Uses<"db" | "clock" | "mode">, command: SetLimit): Promise<Proposed<Limit>> {
  refuseUnlessAdministrator(command.by, ctx.clock.now());
  const { by, id, terms, expectedVersion, reason } = command;
  await refuseFaults(ctx.db, id, terms);
  return await propose(ctx, EXPOSURE_LIMIT, { by, subject: id, body: bodyOf(id, terms, expectedVersion), reason });
}

/** The present limits, and replaced versions, newest first. */
export async function readLimits(ctx: Uses<"db">): Promise<{ limits: Limit[]; replaced: Limit[] }> {
  const [limits, replaced] = await Promise.all([listLimits(ctx.db), listReplacedLimits(ctx.db, REPLACED)]);
  return { limits, replaced };
}
const REPLACED = 50;

/** Marks the service's own limits: unless somebody has changed them, they follow the defaults of the running version. */
const BY_DEFAULT = "What a live service begins with.";

/**
 * Sets those of these limits that do not exist yet, by a command on the machine; others stay as they are. A live service starts with {@link
 * DEFAULT_LIMITS}. A default that nobody ever changed is replaced where this version has another value.
 *
 * @returns the ids of those that were set
 * @throws Refusal `validation_failed`, `not_found` for an unknown partner; then nothing is set
 */
export async function openLimits(
  ctx: Uses<"db">,
  limits: readonly (LimitTerms & { id: string })[] = DEFAULT_LIMITS,
  reason = BY_DEFAULT,
): Promise<string[]> {
  for (const { id, ...terms } of limits) await refuseFaults(ctx.db, id, terms);
  return await ctx.db.transaction(async (tx) => {
    const known = new Map((await listLimits(tx)).map((limit) => [limit.id, limit]));
    const opened: string[] = [];
    for (const { id, ...terms } of limits) {
      const before = known.get(id) ?? null;
      if (before !== null && !isOutdated(before, terms, reason)) continue;
      const now = await readBusinessNow(tx);
      const version = (before?.version ?? 0) + 1;
      // Another worker may be just as far.
      if (!(await insertLimit(tx, { ...terms, id, version, reason, madeBy: null, madeAt: now }))) continue;
      await note(tx, { by: SYSTEM, id, terms, before, version, reason, now });
      opened.push(id);
    }
    return opened;
  });
}

function isOutdated(before: Limit, terms: LimitTerms, reason: string): boolean {
  const isOurs = reason === BY_DEFAULT && before.madeBy === null && before.reason === BY_DEFAULT;
  return isOurs && JSON.stringify(bodyOf(before.id, before, 0)) !== JSON.stringify(bodyOf(before.id, terms, 0));
}

async function put(tx: Database, { by, id, terms, expectedVersion, reason }: SetLimit): Promise<Limit> {
  await refuseFaults(tx, id, terms);
  const before = await lockLimit(tx, id);
  const current = before?.version ?? 0;
  const changed = new Refusal("conflict", { detail: "The limit has changed since it was read.", members: { current_version: current } });
  if (current !== expectedVersion) throw changed;
  const now = await readBusinessNow(tx);
  const limit: Limit = { ...terms, id, version: current + 1, reason, madeBy: actorId(by.actor), madeAt: now };
  if (!(await insertLimit(tx, limit))) throw changed;
  await note(tx, { by, id, terms, before, version: limit.version, reason, now });
  return limit;
}

type Note = { by: By; id: string; terms: LimitTerms; before: LimitTerms | null; version: number; reason: string; now: Date };

async function note(tx: Database, { by, id, terms, before, version, reason, now }: Note): Promise<void> {
  const describe = (limit: LimitTerms) => {
    const { id: _id, expected_version: _version, ...rest } = bodyOf(id, limit, 0);
    return rest;
  };
  const change = { version, before: before && describe(before), after: describe(terms) };
  await insertAuditEntry(tx, { by, partnerId: null, action: "exposure_limit.set", objectId: id, reason, change, now });
}

async function refuseFaults(db: Database, id: string, terms: LimitTerms): Promise<void> {
  const faults = faultsOfLimit(terms);
  if (!LIMIT_ID.test(id)) faults.unshift({ field: "id", message: "Use 3 to 60 lower-case letters, digits and hyphens." });
  const errors: Fault[] = faults.map(({ field, message }) => ({ pointer: `/${field}`, code: "invalid", message }));
  if (errors.length > 0) throw new Refusal("validation_failed", { errors });
  const { partnerId } = terms;
  if (partnerId !== null && !(isUuid(partnerId) && (await findPartner(db, partnerId)) !== null))
    throw new Refusal("not_found", { detail: "There is no such partner." });
}

function bodyOf(id: string, terms: LimitTerms, expectedVersion: number): Body {
  return {
    ...toWire(terms, "kind", "mode", "purpose", "partnerId", "sourceCurrency", "destinationCurrency", "chain"),
    ...toWire(terms, "countedBy", "windowSeconds", "timesMaximum", "waitSeconds"),
    id,
    expected_version: expectedVersion,
    amount_atto: terms.amountAtto?.toString() ?? null,
    addresses: terms.addresses === null ? null : [...terms.addresses],
  };
}
