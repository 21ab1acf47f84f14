/** Texts of paused receivers. */

export const RECEIVER_PAUSE = {
  paused: (by: string, side: string) => `Paused${by === side ? "" : by === "operator" ? " by the operator" : " for a partner"} {time}`,
  pausedMeans: "Nothing is sent to this receiver until somebody resumes it under Endpoints. Reason:",
  resume: "Resume",
  pause: "Pause",
  pauseReceiver: "Pause this receiver",
  pauseMeans:
    "Callbacks to {code} wait until someone resumes it. Their due times do not change. On resuming, overdue callbacks are sent immediately.",
};
