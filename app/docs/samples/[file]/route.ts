import { TOPUP_PROGRAM, WITHDRAWAL_PROGRAM } from "../../_content/fiat-programs.ts";
import { FOLLOW } from "../../_content/follow.ts";
import { asServed } from "../../_content/programs.ts";
import { QUICKSTART } from "../../_content/quickstart.ts";
import { readSite } from "../../_parts/site.ts";

export const dynamic = "force-dynamic";

const SAMPLES = [QUICKSTART, WITHDRAWAL_PROGRAM, TOPUP_PROGRAM, FOLLOW].flatMap(({ samples }) => samples);

/** The whole program of a page. */
export async function GET(_request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const { file: asked } = await params;
  const sample = SAMPLES.find(({ file }) => file === asked);
  if (sample === undefined) return new Response("There is no such file.\n", { status: 404 });
  return new Response(asServed(sample.text, readSite()), {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=300" },
  });
}
