import type { Answers } from "#server/console/router.ts";

/** A callback in a list, with the attempts of its last series. */
export type CallbackRow = Answers["callbacks"]["list"]["data"][number];
export type Mark = CallbackRow["marks"][number];
/** Everything about a callback. */
export type CallbackStory = Answers["callbacks"]["byId"];
export type Attempt = CallbackStory["attempts"][number];
/** Who started a series of attempts manually. */
export type Resend = CallbackStory["resends"][number];
