import { refusalOf } from "./refusal.ts";

type Ask = () => void;
let ask: Ask | null = null;

/** Set while a page can ask to sign in again in place, so that its input stays. Returns a function that unsets it. */
export function askInPlace(whenSignedOut: Ask): () => void {
  ask = whenSignedOut;
  return () => {
    if (ask === whenSignedOut) ask = null;
  };
}

/**
 * After a call reports the session's end, the page asks to sign in again in place. Outside the console's frame, it goes to the sign-in and
 * returns afterwards. A user who must enrol a second factor is sent there first.
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
