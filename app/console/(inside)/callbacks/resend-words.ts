/** Texts of the resend dialogs. */

export const RESEND_DIALOG = {
  means: "Each starts its six attempts again, with the same id and the same body.",
  receiversDeduplicate:
    "Receivers must de-duplicate on the callback's id ({code}). A callback that was received but not acknowledged arrives again.",
  webhookId: "webhook-id",
  resendCallbacks: "Resend callbacks",
  resendAll: (count: string) => `Resend all (${count})`,
  resent: (queued: string, count: number, left: string) => `${queued} to be resent${count > 0 ? `; receivers skipped: ${left}` : ""}.`,
  noneUndelivered: "None of these callbacks is undelivered now.",
  to: (count: string) => `${count} to {origin}`,
  callbacks: (count: string) => `${count} callbacks`,
};
