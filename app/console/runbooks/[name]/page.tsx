import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { RUNBOOKS } from "#domain/runbook.ts";
import { translationsOf } from "../../_words/server.ts";
import { RunbookPage } from "../runbook-page.tsx";
import { RUNBOOK_TEXTS } from "../texts.ts";
import { RUNBOOKS_PAGE } from "../words.ts";

type RunbookProps = { params: Promise<{ name: string }> };

export async function generateMetadata({ params }: RunbookProps): Promise<Metadata> {
  const t = await translationsOf(RUNBOOKS_PAGE);
  return { title: t.runbook((await params).name) };
}

export default async function RunbookByName({ params }: RunbookProps) {
  const { name } = await params;
  const runbook = RUNBOOKS.find((each) => each === name);
  if (runbook === undefined) notFound();
  return <RunbookPage text={RUNBOOK_TEXTS[runbook]} />;
}
