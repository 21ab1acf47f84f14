import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { fromWire } from "#contract/wire.ts";
import { MOST_ITEMS } from "#domain/batch-size.ts";
import { decimal } from "#domain/decimal.ts";
import { isId } from "#domain/ids.ts";
import { paymentDigest } from "#domain/payment-digest.ts";
import { MOST_PARTS, PAYMENT_COLUMNS, type PaymentColumn, partName, type RowFault } from "#domain/payment-file.ts";
import { BATCH_STATUSES, shareOf, tallyOf } from "#domain/settlement-batch.ts";
import { partnerProcedure, personProcedure, router, tenantOf } from "#server/console/trpc/init.ts";
import { tracePlace } from "#server/observe/trace.ts";
import { requirePayingKey } from "#server/services/access/find-paying-key.ts";
import { listApiKeys } from "#server/services/access/list-api-keys.ts";
import { screenBatch } from "#server/services/screening/screen-confirmation.ts";
import { cancelBatch } from "#server/services/settlements/batches/cancel-batch.ts";
import { confirmBatch } from "#server/services/settlements/batches/confirm-batch.ts";
import { createBatch, estimateBatch } from "#server/services/settlements/batches/create-batch.ts";
import { listBatches, readBatchByName, readBatches } from "#server/services/settlements/batches/read-batch.ts";
import { findBatchMakers, makerObstacle } from "#server/services/settlements/batches/refuse-maker.ts";
import { requoteBatch } from "#server/services/settlements/batches/requote-batch.ts";
import { judgeBatch, withRecipientFaults } from "#server/services/settlements/judge-recipients.ts";
import { renderBatchRow, renderTotals } from "./batch-rows.ts";
import { type ReadRows, readRows, rowFaultsOf } from "./payment-rows.ts";
import { readWalk, renderWalked, walkFields } from "./walk.ts";

const MOST_KEYS = 100;

const batchId = plainText(1, 64);
const oneBatch = z.strictObject({ batch_id: batchId });
const cells = Object.fromEntries(PAYMENT_COLUMNS.map((column) => [column, z.string().max(256)])) as Record<PaymentColumn, z.ZodString>;
/** A part of an uploaded file. The parts of one file are batches of their own. */
const filePart = fromWire({
  key_id: z.uuid(),
  name: plainText(1, 110),
  part: z
    .int()
    .min(0)
    .max(MOST_PARTS - 1),
  parts: z.int().min(1).max(MOST_PARTS),
  rows: z.array(z.strictObject(cells)).min(1).max(MOST_ITEMS),
});
type FilePart = z.output<typeof filePart>;
const batchPage = fromWire({
  partner_id: z.uuid().optional(),
  status: z.enum(BATCH_STATUSES).optional(),
  search: plainText(1, 128).optional(),
  ...walkFields,
});

/** For the owner of a partner, who pays in its name. */
const pay = partnerProcedure("pay").use(({ ctx, next }) => next({ ctx: { ...ctx, partnerId: ctx.holder.partnerId ?? "" } }));

/** Batches (contract, part 11), and files of payments that become batches. */
export const batchesRouter = router({
  list: personProcedure.input(batchPage).query(async ({ ctx: { services, holder }, input: { limit, cursor, direction, ...asked } }) => {
    const filter = { ...asked, ...tenantOf(holder, asked.partnerId) };
    const page = await listBatches(services, { filter, ...readWalk({ limit, cursor, direction }, (id) => isId("batch", id)) });
    return renderWalked(page, renderBatchRow);
  }),

  /** Those batches, in that order. `obstacle`: why the user may not confirm one; null: nothing, or it is not waiting for that. */
  byIds: personProcedure
    .input(z.strictObject({ batch_ids: z.array(batchId).min(1).max(MOST_PARTS) }))
    .query(async ({ ctx: { services, holder }, input }) => {
      const batches = await readBatches(services, input.batch_ids, tenantOf(holder).partnerId);
      const makers = await findBatchMakers(services.db, input.batch_ids);
      const obstacleTo = (id: string) => makerObstacle(services.mode, makers.get(id), holder.userId);
      return { data: batches.map((batch) => ({ ...renderBatchRow(batch), obstacle: obstacleTo(batch.id) })) };
    }),

  /** The keys under which a person may pay. */
  keys: pay.query(async ({ ctx: { services, partnerId } }) => {
    const { items } = await listApiKeys(services, { partnerId, ended: false, skip: 0, limit: MOST_KEYS });
    const able = items.filter(({ scopes }) => scopes.includes("settlements:write"));
    return { data: able.map(({ id, name, lastFour }) => ({ id, name, last_four: lastFour })) };
  }),

  /** What a part would come to, and every fault of its rows. `made`: the batch that this very part has become already. */
  judge: pay
    .meta({ reads: true, stepUp: false })
    .input(filePart)
    .mutation(async ({ ctx: { services, by, partnerId }, input }) => {
      await requirePayingKey(services, { id: input.keyId, partnerId });
      const made = await readBatchByName(services, partnerId, nameOf(input));
      if (made?.bodySha256 === paymentDigest(input.keyId, input.rows)) return { made: made.id, faults: [], totals: [] };
      const read = readRows(input.rows);
      const nameFault: RowFault[] =
        made === null ? [] : [{ row: 0, column: null, message: `Another file is named ${nameOf(input)} already.` }];
      const items = await withRecipientFaults(services, read.items);
      const asked = { partnerId, apiKeyId: input.keyId, by, items, refusesTaken: true };
      const { faults, totals } = await estimate(services, asked, read);
      return { made: null, faults: [...nameFault, ...read.faults, ...faults], totals };
    }),

  /** Makes a part a batch. A repeat answers the batch that exists. */
  create: pay
    .meta({ stepUp: false })
    .input(filePart)
    .mutation(async ({ ctx: { services, by, partnerId }, input }) => {
      await requirePayingKey(services, { id: input.keyId, partnerId });
      const read = readRows(input.rows);
      if (read.faults.length > 0) return { batch_id: null, faults: read.faults };
      const name = {
        externalBatchId: nameOf(input),
        bodySha256: paymentDigest(input.keyId, input.rows),
        callbackUrl: null,
        trace: tracePlace(),
      };
      try {
        const items = await withRecipientFaults(services, read.items);
        const { batch } = await createBatch(services, { partnerId, apiKeyId: input.keyId, by, items, ...name });
        return { batch_id: batch.id, faults: [] };
      } catch (error) {
        return { batch_id: null, faults: rowFaultsOf(error, read.places) };
      }
    }),

  /** `expected_total`: the net amounts that the user saw, by currency. */
  confirm: pay
    .input(oneBatch.extend({ expected_total: z.record(plainText(1, 16), z.string().regex(/^\d{1,30}(\.\d{1,30})?$/)) }))
    .mutation(async ({ ctx: { services, by, partnerId }, input }) => {
      const id = input.batch_id;
      const expectedTotal = new Map(Object.entries(input.expected_total).map(([currency, amount]) => [currency, decimal(amount)]));
      const [screenings, recipientFaults] = await Promise.all([
        screenBatch(services, { partnerId, id }),
        judgeBatch(services, { partnerId, id }),
      ]);
      const found = { screenings, recipientFaults };
      return renderBatchRow(await confirmBatch(services, { partnerId, by, id, callbackUrl: null, expectedTotal, ...found }));
    }),

  requote: pay
    .meta({ stepUp: false })
    .input(oneBatch)
    .mutation(async ({ ctx: { services, by, partnerId }, input }) =>
      renderBatchRow(await requoteBatch(services, { partnerId, by, id: input.batch_id })),
    ),

  cancel: pay
    .meta({ stepUp: false })
    .input(oneBatch)
    .mutation(async ({ ctx: { services, by, partnerId }, input }) =>
      renderBatchRow(await cancelBatch(services, { partnerId, by, id: input.batch_id })),
    ),
});

const nameOf = ({ name, part, parts }: FilePart) => partName(name, part, parts);

type Estimate = Parameters<typeof estimateBatch>;

async function estimate(services: Estimate[0], asked: Estimate[1], { places }: ReadRows) {
  if (asked.items.length === 0) return { faults: [], totals: [] };
  try {
    const items = await estimateBatch(services, asked);
    return { faults: [], totals: renderTotals(tallyOf(items.map(shareOf)).totals) };
  } catch (error) {
    return { faults: rowFaultsOf(error, places), totals: [] };
  }
}
