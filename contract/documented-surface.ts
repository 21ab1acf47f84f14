import type { z } from "zod";
import type { RefusalCode } from "#domain/refusal.ts";
import type { Operation } from "./operation.ts";
import type { Webhook } from "./webhook.ts";

/** What a surface's operations are sorted by: those whose path it fits. The first that fits counts. */
export type Tag = { name: string; description: string; of: RegExp };

/** Recorded requests and answers, by the operation's id and then by status; for errors, one per code. */
export type Examples = {
  requests: Readonly<Record<string, unknown>>;
  /** Of a request's query. */
  queries: Readonly<Record<string, Readonly<Record<string, string>>>>;
  answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  errors: Readonly<Record<string, unknown>>;
  webhooks: Readonly<Record<string, unknown>>;
};
export const NO_EXAMPLES: Examples = { requests: {}, queries: {}, answers: {}, errors: {}, webhooks: {} };

/** A surface in the form of its OpenAPI document. */
export type DocumentedSurface = {
  title: string;
  version: string;
  description: string;
  tags: readonly Tag[];
  operations: readonly Operation[];
  /** Under these names in `components`. */
  schemas: Readonly<Record<string, z.ZodType>>;
  /** By event. */
  webhooks: Readonly<Record<string, Webhook>>;
  securitySchemes: Readonly<Record<string, object>>;
  security(operation: Operation): readonly Record<string, readonly string[]>[];
  /** The common refusals of operations, by caller. */
  refusals(operation: Operation): readonly RefusalCode[];
  /** The schema of errors of one status. */
  error(status: number): { media: string; schema: z.ZodType };
};
