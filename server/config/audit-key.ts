import { publicHalfOf } from "#domain/audit-key.ts";
import type { Variables } from "./variables.ts";
import { weaknessOfKey } from "./weakness.ts";

/** @see webEnvironment, which gives the web process only the public half. */
export function reportAuditKey({ MODE, AUDIT_KEY, AUDIT_PUBLIC_KEY }: Variables, report: (problem: string) => void): void {
  if (MODE !== "live") return;
  const weakness = AUDIT_KEY === undefined ? null : weaknessOfKey(AUDIT_KEY);
  if (AUDIT_KEY === undefined)
    report("AUDIT_KEY is missing: what the worker signs the audit log with; make one with: openssl rand -base64 32.");
  else if (weakness) report(`AUDIT_KEY ${weakness}; make one with: openssl rand -base64 32`);
  else if (AUDIT_PUBLIC_KEY !== undefined && !publicHalfOf(AUDIT_KEY).equals(AUDIT_PUBLIC_KEY))
    report("AUDIT_PUBLIC_KEY is not that of AUDIT_KEY.");
}
