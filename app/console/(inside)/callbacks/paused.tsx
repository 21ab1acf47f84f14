import { useQuery } from "@tanstack/react-query";
import { Pause } from "lucide-react";
import { Time } from "../../_components/controls/values.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Data, Trans, useTranslations } from "../../_words/words.ts";
import { RECEIVER_PAUSE } from "./list-words.ts";

const LOOK_MS = 10_000;

type Props = {
  /** The receiver's URL, or only its origin. */
  url: string;
  /** Whose callbacks; without it, those of any partner. */
  partnerId?: string;
  /** Also why. */
  full?: boolean;
};

/** That a receiver is paused, by whom and since when, wherever a callback waits for it; nothing otherwise. One read serves the page. */
export function Paused({ url, partnerId, full = false }: Props) {
  const t = useTranslations(RECEIVER_PAUSE);
  const { data } = useQuery(useTRPC().callbacks.pauses.queryOptions(undefined, { refetchInterval: LOOK_MS }));
  const origin = URL.canParse(url) ? new URL(url).origin : url;
  const here = data?.filter(
    (pause) => pause.origin === origin && (!partnerId || pause.partner_id === null || pause.partner_id === partnerId),
  );
  // Several partners may have paused the same receiver: once for each side.
  const first = [...new Map(here?.map((pause) => [pause.by, pause])).values()];
  const shown = first.map(({ by, since, reason, is_own }) => (
    <span key={by} className="paused small" title={full ? undefined : reason}>
      <Pause aria-hidden size={14} />
      <span>
        <Trans sentence={t.paused(by, is_own ? by : "another side")} time={<Time at={since} />} />
        {full && (
          <>
            . <Data>{reason}</Data>
          </>
        )}
      </span>
    </span>
  ));
  return full && shown.length > 0 ? <p className="section-lead">{shown}</p> : shown;
}
