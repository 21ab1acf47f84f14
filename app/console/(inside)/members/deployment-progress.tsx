import type { SafeDeploymentState } from "#domain/safe-deployment.ts";
import type { Answers } from "#server/console/router.ts";
import { Note } from "../../_components/frame/page-parts.tsx";
import { Served, useTranslations } from "../../_words/words.ts";
import { DEPLOYMENT_PROGRESS } from "./words.ts";

type Progress = { state: SafeDeploymentState; waiting_reason: string | null; payment: Answers["safes"]["byId"]["payment"] };

const STAGES = ["queued", "signed", "broadcast", "confirming", "checked"] as const;

/** The progress of a deployment: its transaction, and whether the expected code is on the chain. */
export function DeploymentProgress({ deployment }: { deployment: Progress }) {
  const t = useTranslations(DEPLOYMENT_PROGRESS);
  const { state, payment } = deployment;
  const reached = stageOf(deployment);
  const needed = payment?.confirmations_needed ?? null;
  const depth = payment && (needed === null ? String(payment.confirmations) : `${Math.min(payment.confirmations, needed)}/${needed}`);
  const waiting = deployment.waiting_reason ?? payment?.waiting_reason ?? null;
  const isOver = state === "deployed" || state === "failed";
  return (
    <>
      <ol className="stages" aria-label={t.label}>
        {STAGES.map((stage, index) => (
          <li
            key={stage}
            className="stage"
            data-reached={index <= reached || undefined}
            aria-current={index === reached && !isOver ? "step" : undefined}
          >
            {t.stages[stage]}
            {stage === "confirming" && depth !== null && reached >= index && <span className="stage-depth"> {depth}</span>}
          </li>
        ))}
      </ol>
      {waiting !== null && !isOver && (
        <Note kind="warning">
          <Served>{waiting}</Served>
        </Note>
      )}
      {payment?.review_reason && <Note kind="danger">{t.underReview(payment.review_reason)}</Note>}
    </>
  );
}

function stageOf({ state, payment }: Progress): number {
  if (state === "deployed") return 4;
  if (state === "made" || payment?.state === "mined" || payment?.state === "executed") return 3;
  if (payment?.state === "broadcast") return 2;
  return payment?.state === "signed" ? 1 : 0;
}
