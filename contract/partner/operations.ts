import type { Operation } from "#contract/operation.ts";
import * as fiat from "./fiat-operations.ts";
import * as keys from "./key-operations.ts";
import * as members from "./member-operations.ts";
import * as partners from "./partner-operations.ts";
import * as payments from "./payment-operations.ts";
import * as people from "./people-operations.ts";
import * as rates from "./rate-operations.ts";
import * as safes from "./safe-operations.ts";

/** Every operation of the partner-management surface but the decisions on settlements (contract, parts 6 and 9). */
export const PARTNER_OPERATIONS: readonly Operation[] = [partners, payments, keys, members, fiat, rates, people, safes].flatMap((group) =>
  Object.values(group),
);
