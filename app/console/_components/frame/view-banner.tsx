import { useMutation } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { sentenceOf } from "../../_trpc/no-answer.ts";
import { Trans } from "../../_words/trans.tsx";
import { useTranslations } from "../../_words/words.ts";
import { NO_ANSWER, VIEW_BANNER } from "./words.ts";

/** Above every page while an operator's user views the console as a partner's staff does. */
export function ViewBanner({ partner }: { partner: string }) {
  const [t, sentences] = [useTranslations(VIEW_BANNER), useTranslations(NO_ANSWER)];
  const trpc = useTRPC();
  // The page and all caches belong to the partner's view, so everything is loaded again.
  const leave = useMutation(trpc.session.leaveView.mutationOptions({ onSuccess: () => window.location.assign("/console") }));
  return (
    <section className="view-banner" aria-label={t.label}>
      <Eye aria-hidden size={16} />
      <p>
        <Trans sentence={t.explanation} strong={<strong>{partner}</strong>} />
        {leave.error && <span role="alert"> {sentenceOf(leave.error, sentences)}</span>}
      </p>
      <Button pending={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
        {t.leave}
      </Button>
    </section>
  );
}
