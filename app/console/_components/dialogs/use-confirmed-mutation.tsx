import { CircleAlert } from "lucide-react";
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { useToast } from "#app/console/_components/controls/toast.tsx";
import { Time } from "#app/console/_components/controls/values.tsx";
import { RequestId } from "#app/console/_components/lists/list-states.tsx";
import { fateOf, markShown, sentenceOf } from "../../_trpc/no-answer.ts";
import { refusalOf } from "../../_trpc/refusal.ts";
import { decisionToSign } from "../../_trpc/signed-decision.ts";
import { Served, Trans, useTranslations } from "../../_words/words.ts";
import { NO_ANSWER } from "../frame/words.ts";
import { useBusy } from "./dialog.tsx";
import { useStepUp } from "./step-up.tsx";
import { CONFIRMED_MUTATION } from "./words.ts";

/**
 * A user's action, with a step-up if needed. Unlike a mutation it does not keep the answer, which may be a secret. `then` learns whether
 * the user has left meanwhile; a toast then reports a refusal. A user who closes the step-up or signs nothing has done nothing, and sees no message.
 */
export function useConfirmedMutation(undone?: string) {
  const [t, sentences] = [useTranslations(CONFIRMED_MUTATION), useTranslations(NO_ANSWER)];
  const guarded = useStepUp();
  const toast = useToast();
  const left = useLeft();
  // Two clicks within one render count as one.
  const isUnderWay = useRef(false);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useBusy(pending);
  const run = async <Answer,>(work: () => Promise<Answer>, then: (answer: Answer, hasLeft: boolean) => void) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setPending(true);
    setError(null);
    try {
      then(await guarded(work), left.current);
    } catch (refused) {
      if (refusalOf(refused)?.code === "step_up_required" || decisionToSign(refused) !== null) return;
      if (!left.current) setError(refused);
      else if (fateOf(refused) === "refused") toast(undone ?? t.notDone, sentenceOf(refused, sentences));
    } finally {
      isUnderWay.current = false;
      setPending(false);
    }
  };
  return { run, pending, error, forgive: () => setError(null) };
}

/** Whether the component that started the action was closed while it was running. */
function useLeft(): RefObject<boolean> {
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);
  return left;
}

type RefusedProps = {
  error: unknown;
  /** Another message for a refusal, instead of its own. */
  children?: ReactNode;
  /** After no answer: reads the object again and describes its present state. */
  look?: () => Promise<ReactNode>;
};

/**
 * The result of an action that failed or whose outcome is unknown. It appears next to the button and takes the focus, so that nobody
 * presses the button again without reading it.
 */
export function Refused({ error, children, look }: RefusedProps) {
  const t = useTranslations(CONFIRMED_MUTATION);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    markShown(error);
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "center" });
  }, [error]);
  const fate = fateOf(error);
  const refusal = refusalOf(error);
  return (
    <div ref={box} tabIndex={-1} className="refused" role="alert">
      <CircleAlert aria-hidden size={20} />
      <div className="refused-words">
        {refusal?.code === "invalid_token" && (
          <>
            <p className="state-title">{t.sessionEnded}</p>
            <p>{t.inputKept}</p>
          </>
        )}
        {fate === "refused" && refusal !== null && refusal.code !== "invalid_token" && (
          <>
            {children ?? (
              <>
                <p className="state-title">
                  <Served>{refusal.title}</Served>
                </p>
                {refusal.detail !== `${refusal.title}.` && (
                  <p>
                    <Served>{refusal.detail}</Served>
                  </p>
                )}
              </>
            )}
            <RequestId id={refusal.request_id} />
          </>
        )}
        {fate === "not_sent" && (
          <>
            <p className="state-title">{t.notSent}</p>
            <p>{t.offline}</p>
          </>
        )}
        {fate === "not_known" && (
          <>
            <p className="state-title">{t.unknownOutcome}</p>
            {look ? <Looked key={String(error)} look={look} /> : <p>{t.noAnswer}</p>}
            <RequestId id={refusal?.request_id ?? null} />
          </>
        )}
      </div>
    </div>
  );
}

type Found = { at: string; what: ReactNode } | "looking" | "in_vain";

/** Looks up the outcome automatically and shows it; if that fails too, on demand. */
function Looked({ look }: { look: () => Promise<ReactNode> }) {
  const t = useTranslations(CONFIRMED_MUTATION);
  const [found, setFound] = useState<Found>("looking");
  const held = useRef(look);
  held.current = look;
  const go = useCallback(() => {
    setFound("looking");
    held.current().then(
      (what) => setFound({ at: new Date().toISOString(), what }),
      () => setFound("in_vain"),
    );
  }, []);
  useEffect(go, [go]);
  if (found === "looking") return <p>{t.checking}</p>;
  if (found === "in_vain")
    return (
      <>
        <p>{t.notReadable}</p>
        <Button onClick={go}>{t.checkAgain}</Button>
      </>
    );
  return (
    <p>
      <Trans sentence={t.checkedAt} time={<Time at={found.at} form="absolute" />} found={found.what} />
    </p>
  );
}
