import type { Metadata } from "next";
import { orNotFound, requirePerson, serverQueries, shown, trpc } from "../../../../_trpc/page.ts";
import { translationsOf } from "../../../../_words/server.ts";
import { mayResend } from "../../may-resend.ts";
import { JobPage } from "./job-page.tsx";
import { PAGE } from "./words.ts";

type Props = { params: Promise<{ job_id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await translationsOf(PAGE)).title((await params).job_id.slice(0, 40)) };
}

export default async function ResendJob({ params }: Props) {
  const { role } = await requirePerson();
  const { job_id } = await params;
  await orNotFound(serverQueries().fetchQuery(trpc.callbacks.job.queryOptions({ id: job_id, after: null })));
  return await shown(<JobPage id={job_id} mayAbort={mayResend(role)} />);
}
