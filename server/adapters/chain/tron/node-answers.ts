import { z } from "zod";

const id = z
  .string()
  .regex(/^[0-9a-f]{64}$/i)
  .toLowerCase();
/** Tron's JSON leaves out numbers that are zero. Larger ones than a double holds exactly are refused. */
const count = z.int().min(0).default(0);
const sun = count.transform(BigInt);

/** A block. A node that has none answers `{}`, which is null here. */
export const Block = z
  .object({
    blockID: id,
    block_header: z.object({ raw_data: z.object({ number: count, timestamp: count, parentHash: id }) }),
    transactions: z.array(z.object({ txID: id })).default([]),
  })
  .transform(({ blockID, block_header: { raw_data }, transactions }) => ({
    height: raw_data.number,
    hash: blockID,
    parentHash: raw_data.parentHash,
    at: new Date(raw_data.timestamp),
    ids: transactions.map(({ txID }) => txID),
  }));
export type Block = z.infer<typeof Block>;
export const MaybeBlock = z.union([Block, z.strictObject({}).transform(() => null)]);
export const Blocks = z.object({ block: z.array(Block).default([]) });

/** What a node says of itself; a provider may not answer it. */
export const NodeInfo = z.object({ configNodeInfo: z.object({ codeVersion: z.string().default("") }).default({ codeVersion: "" }) });

const Log = z.object({ address: z.string(), topics: z.array(z.string()).default([]), data: z.string().default("") });

/** What `gettransactioninfobyid` answers; `{}`, null here, where the node knows no such transaction. */
export const MaybeInfo = z.union([
  z.object({
    id,
    blockNumber: count,
    fee: sun,
    contractResult: z.array(z.string()).default([]),
    receipt: z.object({
      result: z.string().optional(),
      energy_usage: count,
      energy_fee: sun,
      energy_usage_total: count,
      net_usage: count,
      net_fee: sun,
    }),
    log: z.array(Log).default([]),
  }),
  z.strictObject({}).transform(() => null),
]);
export type Info = NonNullable<z.infer<typeof MaybeInfo>>;

/** A transaction by its id; null where the node does not know it. */
export const MaybeTransaction = z.union([
  z.object({ raw_data_hex: z.string().regex(/^([0-9a-f]{2})+$/i) }),
  z.strictObject({}).transform(() => null),
]);

/** Of a call that is only played. `result.code`: the node did not play it. */
export const Constant = z.object({
  result: z.object({ result: z.boolean().optional(), code: z.string().optional(), message: z.string().optional() }),
  energy_used: count,
  constant_result: z.array(z.string()).default([]),
  transaction: z.object({ ret: z.array(z.object({ ret: z.string().optional() })).default([]) }).optional(),
});

export const Estimate = z.object({ energy_required: z.int().min(1).optional() });

export const Parameters = z
  .object({ chainParameter: z.array(z.object({ key: z.string(), value: z.int().default(0) })) })
  .transform(({ chainParameter }) => new Map(chainParameter.map(({ key, value }) => [key, value])));

export const Account = z.object({ balance: sun });
export const Resource = z.object({
  freeNetLimit: count,
  freeNetUsed: count,
  NetLimit: count,
  NetUsed: count,
  EnergyLimit: count,
  EnergyUsed: count,
});

export const Broadcast = z.object({ result: z.boolean().default(false), code: z.string().optional(), message: z.string().optional() });
