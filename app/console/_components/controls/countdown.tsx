import { Announcement } from "#app/console/_components/frame/page-parts.tsx";
import { clockFace } from "../../_format/time.ts";
import { useTranslations } from "../../_words/words.ts";
import { useNow } from "./clock.tsx";
import { useZone } from "./values.tsx";
import { COUNTDOWN } from "./words.ts";

const SPOKEN_SECONDS = [300, 60, 0];

type CountdownProps = {
  to: string;
  label: string;
  /** When it began: then a ring shows the remaining part. */
  from?: string;
  /** Without the instant, where that is shown already or space is scarce. */
  plain?: boolean;
};

/**
 * Counts down to an instant of business time, by the server's clock. Announced to screen readers at five minutes, at one, and at the end;
 * below a minute it is highlighted. The caller handles the end.
 */
export function Countdown({ to, label, from, plain = false }: CountdownProps) {
  const t = useTranslations(COUNTDOWN);
  const zone = useZone();
  const now = useNow(1_000);
  const end = new Date(to).getTime();
  const left = end - now;
  const seconds = Math.ceil(left / 1_000);
  const spoken = SPOKEN_SECONDS.find((mark) => seconds <= mark && seconds > mark - 3);
  return (
    <span className="countdown" data-urgent={left < 60_000 || undefined}>
      {from !== undefined && <Ring share={Math.min(1, Math.max(0, left / (end - new Date(from).getTime())))} />}
      <span role="timer" aria-label={label} className="countdown-face">
        {clockFace(left)}
      </span>
      {!plain && (
        <time dateTime={to} title={t.format.absolute(to, zone)} className="countdown-at">
          {t.format.hourAndMinute(to, zone)}
        </time>
      )}
      <Announcement>{spoken === undefined ? "" : spoken === 0 ? t.ended(label) : t.remaining(label, spoken)}</Announcement>
    </span>
  );
}

const ROUND = 2 * Math.PI * 7;

/** The remaining part of the time, as a part of a circle. */
function Ring({ share }: { share: number }) {
  return (
    <svg className="countdown-ring" viewBox="0 0 18 18" width={18} height={18} aria-hidden>
      <circle className="ring-track" cx={9} cy={9} r={7} />
      <circle className="ring-left" cx={9} cy={9} r={7} strokeDasharray={`${share * ROUND} ${ROUND}`} transform="rotate(-90 9 9)" />
    </svg>
  );
}
