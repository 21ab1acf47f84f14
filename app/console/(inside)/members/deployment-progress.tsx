import type { SafeDeploymentState } from "#domain/safe-deployment.ts";
import type { Answers } from "#server/console/router.ts";
import { Note } from "../../_components/frame/page-parts.tsx";

type Progress = { state: SafeDeploymentState; waiting_reason: string | null; payment: Answers["safes"]["byId"]["payment"] };

const STAGES = ["Queued", "Signed", "Broadcast", "Confirming", "Checked"] as const;

/** How far a deployment has come: its transaction, and at last whether the right thing stands on the chain. */
export function DeploymentProgress({ deployment }: { deployment: Progress }) {
  const { state, payment } = deployment;
  const reached = stageOf(deployment);
  const needed = payment?.confirmations_needed ?? null;
  const depth = payment && (needed === null ? String(payment.confirmations) : `${Math.min(payment.confirmations, needed)}/${needed}`);
  const waiting = deployment.waiting_reason ?? payment?.waiting_reason ?? null;
  const isOver = state === "deployed" || state === "failed";
  return (
    <>
      <ol className="stages" aria-label="Progress of the deployment">
        {STAGES.map((word, index) => (
          <li
            key={word}
            className="stage"
            data-reached={index <= reached || undefined}
            aria-current={index === reached && !isOver ? "step" : undefined}
          >
            {word}
            {word === "Confirming" && depth !== null && reached >= index && <span className="stage-depth"> {depth}</span>}
          </li>
        ))}
      </ol>
      {waiting !== null && !isOver && <Note kind="warning">{waiting}</Note>}
      {payment?.review_reason && <Note kind="danger">Under review: {payment.review_reason}</Note>}
    </>
  );
}

function stageOf({ state, payment }: Progress): number {
  if (state === "deployed") return 4;
  if (state === "made" || payment?.state === "mined" || payment?.state === "executed") return 3;
  if (payment?.state === "broadcast") return 2;
  return payment?.state === "signed" ? 1 : 0;
}
