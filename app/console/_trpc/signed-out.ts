import { refusalOf } from "./refusal.ts";

type Ask = () => void;
let ask: Ask | null = null;

/** While a page can ask to sign in again in place it is not left: what was filled in stays. Answers how to take that back. */
export function askInPlace(whenSignedOut: Ask): () => void {
  ask = whenSignedOut;
  return () => {
    if (ask === whenSignedOut) ask = null;
  };
}

/**
 * A session that has ended is told by the next call: the page asks for it again where it stands, or (outside the console's frame) the
 * sign-in does, and leads back to this page. Who must set two factors up first is led there.
 */
export function noticeSignedOut(error: unknown): void {
  const code = refusalOf(error)?.code;
  if (code === "enrolment_required") window.location.assign("/console/sign-in/enrol");
  if (code !== "invalid_token") return;
  if (ask !== null) {
    ask();
    return;
  }
  window.location.assign(`/console/sign-in?next=${encodeURIComponent(window.location.pathname + window.location.search)}`);
}
