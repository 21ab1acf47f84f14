"use client";

import { CircleAlert, RotateCw } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { CopyButton } from "#app/console/_components/controls/copy-button.tsx";
import { Trans, useTranslations } from "../../_words/words.ts";
import { askTroubles } from "./use-troubles.ts";
import { PAGE_TROUBLE } from "./words.ts";

/** As Next.js passes it to an error page. `digest`: the request's id, if the server failed because a part of it is unavailable. */
export type PageTroubleProps = { error: Error & { digest?: string }; retry: () => void };

const LOOK_EVERY_MS = 1_500;
/** While any of these is unavailable, no page can be rendered. */
const AWAY = ["offline", "service", "database"] as const;
type Away = (typeof AWAY)[number];

/**
 * Replaces a page that could not be rendered: the cause, a retry button, and the request id for support. While a part of the service is
 * unavailable, it polls, and shows the page automatically once that is possible.
 */
export function PageTrouble({ error: { digest }, retry }: PageTroubleProps) {
  const t = useTranslations(PAGE_TROUBLE);
  const requestId = digest?.startsWith("req_") ? digest : null;
  // The server reports the cause by the id; until then, it is probably the database.
  const [away, setAway] = useState<Away | null>(requestId === null ? null : "database");
  const [askedAt, setAskedAt] = useState<string | null>(null);
  const passes = requestId !== null;
  const look = useCallback(async () => {
    const found = awayAmong(await askTroubles());
    setAway(found);
    if (found === null) retry();
    return found;
  }, [retry]);
  useEffect(() => {
    if (!passes) return;
    let timer = setTimeout(again, LOOK_EVERY_MS);
    let over = false;
    async function again() {
      const found = document.visibilityState === "visible" ? await look() : "service";
      if (!over && found !== null) timer = setTimeout(again, LOOK_EVERY_MS);
    }
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [passes, look]);
  const press = async () => {
    if ((await look()) !== null) setAskedAt(new Date().toISOString().slice(11, 19));
  };
  return (
    <div className="state trouble page-trouble" role="alert">
      <CircleAlert aria-hidden size={20} />
      <h1>{t.title}</h1>
      <div className="state-more">
        <p>{t.cause[away ?? "other"]}</p>
        {away !== null && <p>{t.loadsAutomatically}</p>}
        {askedAt !== null && (
          <p>
            <Trans sentence={t.stillNoAnswer} time={<time>{askedAt} UTC</time>} />
          </p>
        )}
      </div>
      {digest !== undefined && (
        <p className="request-id">
          <Trans sentence={t.requestOf} id={<code translate="no">{digest}</code>} />
          <CopyButton text={digest} label={t.copyRequestId} />
        </p>
      )}
      <Button icon={RotateCw} onClick={() => void press()}>
        {t.retry}
      </Button>
    </div>
  );
}

function awayAmong(troubles: Awaited<ReturnType<typeof askTroubles>>): Away | null {
  return AWAY.find((part) => troubles.some((trouble) => trouble.part === part)) ?? null;
}
