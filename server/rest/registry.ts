import type { Operation } from "#contract/operation.ts";
import { BATCH_DECISIONS, BATCHES } from "./batch-operations.ts";
import type { Binding } from "./bind.ts";
import { CALLBACKS } from "./callback-operations.ts";
import { DECISIONS } from "./decision-operations.ts";
import { ECHO } from "./echo.ts";
import { EVENT_DESTINATIONS } from "./event-destination-operations.ts";
import { EVENTS } from "./event-operations.ts";
import { FIAT } from "./fiat-operations.ts";
import { KEYS } from "./key-operations.ts";
import { LEAKED_KEY } from "./leaked-key-operation.ts";
import { fitsPath } from "./match-path.ts";
import { MEMBERS } from "./member-operations.ts";
import { openSurface } from "./open-surface.ts";
import { PARTNERS } from "./partner-operations.ts";
import { partnerSurface, sandboxSurface } from "./partner-surface.ts";
import { PAYMENTS } from "./payment-operations.ts";
import { PEOPLE } from "./people-operations.ts";
import { PRICING } from "./pricing-operations.ts";
import { JWKS, PROOF, PROOF_STATUS } from "./proof-operations.ts";
import { RATES } from "./rate-operations.ts";
import { bodyLimitOf, MAX_BODY_BYTES } from "./read-input.ts";
import { SAFES } from "./safe-operations.ts";
import { SANDBOX } from "./sandbox-operations.ts";
import { SETTLEMENTS } from "./settlement-operations.ts";
import { settlementSurface } from "./settlement-surface.ts";
import type { Surface } from "./surface.ts";
import { TIME } from "./time.ts";

/** A surface with all of its operations. */
export type Registered = { surface: Surface; bindings: readonly Binding[] };

/**
 * Every operation of every surface once, with what does it. Whatever has to know which there are reads this: the front door, Next's
 * routes, the OpenAPI documents and the tests of rights.
 */
export const REGISTRY: Readonly<Record<Surface["name"], Registered>> = {
  settlement: {
    surface: settlementSurface,
    bindings: [...SETTLEMENTS, ...BATCHES, PROOF, ...CALLBACKS, ...EVENTS, ...EVENT_DESTINATIONS, ...PRICING, ECHO],
  },
  partner: {
    surface: partnerSurface,
    bindings: [...PARTNERS, ...PAYMENTS, ...KEYS, ...MEMBERS, ...FIAT, ...RATES, ...PEOPLE, ...SAFES, ...DECISIONS, ...BATCH_DECISIONS],
  },
  sandbox: { surface: sandboxSurface, bindings: SANDBOX },
  system: { surface: openSurface, bindings: [TIME, JWKS, PROOF_STATUS, LEAKED_KEY] },
};

export function operationsOf(name: Surface["name"]): readonly Operation[] {
  return REGISTRY[name].bindings.map(({ operation }) => operation);
}

/** What the surfaces' paths begin with: `/api/v1`, `/partners`, … All below it is the surface's, its 404s too. */
export const ROOTS: ReadonlyMap<string, Registered> = new Map(
  Object.values(REGISTRY).flatMap((registered) =>
    registered.bindings.map(({ operation }) => [rootOf(operation.path), registered] as const),
  ),
);

/** The surface that answers the path; null: it is Next's, a page or a file. */
export function surfaceAt(path: string): Registered | null {
  return ROOTS.get(rootOf(path)) ?? null;
}

/** The most bytes that any operation of a path reads. */
export function bodyLimitAt(path: string): number {
  const segments = path.split("/");
  const bindings = surfaceAt(path)?.bindings.filter(({ pattern }) => fitsPath(pattern, segments)) ?? [];
  return Math.max(MAX_BODY_BYTES, ...bindings.map(({ operation }) => bodyLimitOf(operation)));
}

function rootOf(path: string): string {
  return /^\/(?:api\/)?[^/]*/.exec(path)?.[0] ?? "";
}
