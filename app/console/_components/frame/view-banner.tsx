import { useMutation } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { sentenceOf } from "../../_trpc/no-answer.ts";
import { Told } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import { NO_ANSWER, VIEW_BANNER } from "./words.ts";

/** Over every page while one of the operator's people sees the console as a partner's staff does. */
export function ViewBanner({ partner }: { partner: string }) {
  const [says, sentences] = [useWords(VIEW_BANNER), useWords(NO_ANSWER)];
  const trpc = useTRPC();
  // Everything on the page, and everything kept of it, is of the partner's view: it is loaded anew.
  const leave = useMutation(trpc.session.leaveView.mutationOptions({ onSuccess: () => window.location.assign("/console") }));
  return (
    <section className="view-banner" aria-label={says.whoseView}>
      <Eye aria-hidden size={16} />
      <p>
        <Told sentence={says.youSeeConsole} strong={<strong>{partner}</strong>} />
        {leave.error && <span role="alert"> {sentenceOf(leave.error, sentences)}</span>}
      </p>
      <Button pending={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
        {says.leave}
      </Button>
    </section>
  );
}
