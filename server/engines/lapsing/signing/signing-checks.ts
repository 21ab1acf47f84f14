import type { Screening } from "#domain/screening.ts";
import type { LapsingEngine } from "#server/engines/lapsing/engine.ts";
import { SIGNING_CHECKS } from "#server/services/holds/judge-before-signing.ts";
import { screenedPurposes, screeningCheck } from "#server/services/screening/screening-check.ts";

/** What is judged before anything is signed; where recipients are screened, also by what was answered about them. */
export function screeningChecks({ ctx: { screener } }: LapsingEngine, screenings: ReadonlyMap<string, Screening>) {
  return screener.isOn ? [...SIGNING_CHECKS, screeningCheck(screenings, screenedPurposes(screener))] : SIGNING_CHECKS;
}
