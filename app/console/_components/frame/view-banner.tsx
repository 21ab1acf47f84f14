import { useMutation } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { sentenceOf } from "../../_trpc/no-answer.ts";

/** Over every page while one of the operator's people sees the console as a partner's staff does. */
export function ViewBanner({ partner }: { partner: string }) {
  const trpc = useTRPC();
  // Everything on the page, and everything kept of it, is of the partner's view: it is loaded anew.
  const leave = useMutation(trpc.session.leaveView.mutationOptions({ onSuccess: () => window.location.assign("/console") }));
  return (
    <section className="view-banner" aria-label="Whose view this is">
      <Eye aria-hidden size={16} />
      <p>
        You see the console as staff of <strong>{partner}</strong>. Nothing can be changed. Your look is in the audit log.
        {leave.error && <span role="alert"> {sentenceOf(leave.error)}</span>}
      </p>
      <Button pending={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
        Leave
      </Button>
    </section>
  );
}
