import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { lazyComponent } from "#app/console/_components/controls/lazy-component.tsx";
import { Dialog } from "#app/console/_components/dialogs/dialog.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { askInPlace } from "../../_trpc/signed-out.ts";
import { useTranslations } from "../../_words/words.ts";
import { SESSION_END } from "./words.ts";

const Again = lazyComponent(() => import("./sign-in-again.tsx").then(({ SignInAgain }) => SignInAgain));
const WARN_SECONDS = 120;

/**
 * Two minutes before the session ends, or when a call reports its end, it asks to sign in again in place, so that the user's input stays.
 * It counts from the remaining time that the server reported, so the browser's clock may be wrong. Once the session is over, the page is
 * hidden until the same user is back.
 */
export function SessionEnd({ email }: { email: string }) {
  const t = useTranslations(SESSION_END);
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const { data: me, dataUpdatedAt } = useQuery(
    trpc.session.me.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY, meta: { still: true } }),
  );
  const left = useSecondsLeft(me?.ends_in_seconds, dataUpdatedAt);
  const [isOut, setOut] = useState(false);
  useEffect(() => askInPlace(() => setOut(true)), []);
  const isOver = isOut || left === 0;
  const asks = isOver || (left !== null && left <= WARN_SECONDS);
  const goOn = () => {
    setOut(false);
    void queries.invalidateQueries();
    // The server rendered this for the earlier user; the role may be different now.
    router.refresh();
  };
  return (
    <Dialog
      open={asks}
      onOpenChange={() => {}}
      title={isOver ? t.ended : t.aboutToEnd}
      description={t.signInAgain}
      firstFocus={() => document.querySelector<HTMLInputElement>(".session-end input[type=password]")}
      closable={false}
      veiled={isOver}
    >
      <p role="timer" className="muted">
        {!isOver && left !== null ? t.endsIn(Math.floor(left / 60), String(left % 60).padStart(2, "0")) : t.consequence}
      </p>
      {asks && <Again email={email} wantsCode={me?.two_factors ?? false} onDone={goOn} />}
    </Dialog>
  );
}

/** Null until known, and while more than the warning's time is left: nothing has to render each second for that. */
function useSecondsLeft(endsInSeconds: number | undefined, heard: number): number | null {
  const [left, setLeft] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new session may last as many seconds as the one before did when it was reported
  useEffect(() => {
    if (endsInSeconds === undefined) return;
    // Counted from when the browser received it, by the browser's clock. By the server's clock it would be from when the answer was made.
    const endsAt = Date.now() + endsInSeconds * 1_000;
    const look = () => {
      const seconds = Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000));
      setLeft(seconds <= WARN_SECONDS ? seconds : null);
    };
    look();
    const timer = setInterval(look, 1_000);
    return () => clearInterval(timer);
  }, [endsInSeconds, heard]);
  return left;
}
