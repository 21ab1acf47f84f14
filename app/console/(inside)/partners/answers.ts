import type { Answers } from "#server/console/router.ts";

export type BookingRow = Answers["bookings"]["list"]["data"][number];
export type Partner = Answers["partners"]["byId"];
