import type { Answers } from "#server/console/router.ts";

/** A callback in a list, with the attempts of its last series. */
export type CallbackRow = Answers["callbacks"]["list"]["data"][number];
export type Mark = CallbackRow["marks"][number];
/** All that is known of a callback. */
export type CallbackStory = Answers["callbacks"]["byId"];
export type Attempt = CallbackStory["attempts"][number];
/** Who began a series of attempts by hand. */
export type Resend = CallbackStory["resends"][number];
