import { GO_LIVE, type GoLiveStep } from "#domain/go-live.ts";

/** Texts of the checklist before live mode. Its steps are those of the documentation, in its words. */

export const PAGE = {
  title: "Go live",
  lead: "What to finish before you take real money. Each step is ticked automatically.",
  page: "In the documentation",
};

type Words = Record<GoLiveStep, { title: string; text: string }>;

export const GO_LIVE_WORDS = {
  label: "Steps before live mode",
  done: (done: number, count: number) => `${done} of ${count} done`,
  doneLabel: "Done",
  openLabel: "Open",
  how: "How",
  where: "Do it",
  linkTo: (step: string) => `: ${step}`,
  steps: Object.fromEntries(GO_LIVE.map(({ step, title, text }) => [step, { title, text }])) as Words,
};
