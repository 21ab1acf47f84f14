import { useQuery } from "@tanstack/react-query";
import { Pause } from "lucide-react";
import { Time } from "../../_components/controls/values.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Data, Trans, useTranslations } from "../../_words/words.ts";
import { RECEIVER_PAUSE } from "./pause-words.ts";

const LOOK_MS = 10_000;

type Of = {
  /** The receiver's URL, or only its origin. */
  url: string;
  /** Whose callbacks; without it, those of any partner. */
  partnerId?: string;
};

/** The pauses of a receiver, one for each side. One read serves the page. */
export function usePauses({ url, partnerId }: Of) {
  const { data } = useQuery(useTRPC().callbacks.pauses.queryOptions(undefined, { refetchInterval: LOOK_MS }));
  const origin = URL.canParse(url) ? new URL(url).origin : url;
  const here = data?.filter(
    (pause) => pause.origin === origin && (!partnerId || pause.partner_id === null || pause.partner_id === partnerId),
  );
  // Several partners may have paused the same receiver: once for each side.
  return [...new Map(here?.map((pause) => [pause.by, pause])).values()];
}

/** That a receiver is paused, by whom and since when, wherever a callback waits for it; nothing otherwise. `full`: also what it means, and why. */
export function Paused({ full = false, ...of }: Of & { full?: boolean }) {
  const t = useTranslations(RECEIVER_PAUSE);
  const first = usePauses(of);
  const shown = first.map(({ by, since, reason, is_own }) => (
    <span key={by} className="paused small" title={full ? undefined : reason}>
      <Pause aria-hidden size={14} />
      <span>
        <Trans sentence={t.paused(by, is_own ? by : "another side")} time={<Time at={since} />} />
        {full && (
          <>
            . {t.pausedMeans} <Data>{reason}</Data>
          </>
        )}
      </span>
    </span>
  ));
  return full && shown.length > 0 ? <p className="section-lead">{shown}</p> : shown;
}
