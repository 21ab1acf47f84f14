/** The certifier's checks in the documentation; a test compares them with the certifier. */

export const RECEIVER_CHECKS: readonly (readonly [what: string, why: string])[] = [
  ["Takes every event", "The service tries it six times and then gives up."],
  [
    "Takes the same callback again; if it sends X-Work-Count, that rises once",
    "If your 2xx is lost, the same callback arrives again for up to 14 hours.",
  ],
  ["Takes two copies at the same time", "After a time-out, a second copy can overtake the first."],
  ["Takes ten callbacks at the same time", "Many settlements can end together. A callback that you refuse arrives minutes later."],
  [
    "Takes an approval that arrives after the end of its settlement",
    "Retried callbacks overtake each other, so the last one to arrive is not always the newest.",
  ],
  [
    "Takes an unknown event",
    "New events are added over time. If you refuse one, the service sends it six times and reports your receiver as failing.",
  ],
  ["Takes a body with an unknown field", "Fields are added without notice."],
  ["Checks the bytes as received", "If you parse and rewrite a body, one extra space or escape breaks the signature."],
  ["Takes a body of 60 KiB", "A long reason never reaches you."],
  ["Finds its signature among several", "During a secret rotation, and with public keys, the header contains several signatures."],
  ["Refuses an unsigned callback", "Anyone who knows your URL can report a settlement as paid."],
  ["Refuses empty signatures", "Anyone who knows your URL can report a settlement as paid."],
  ["Refuses a callback that someone else signed", "Anyone who knows your URL can report a settlement as paid."],
  ["Refuses a signature with other last characters", "Anyone who knows your URL can report a settlement as paid."],
  ["Refuses a signature in another case", "Anyone who knows your URL can report a settlement as paid."],
  ["Refuses a body with one digit changed", "Anyone who knows your URL can report a settlement as paid."],
  ["Refuses a changed id under the same signature", "Anyone who has seen one callback can replay it under new ids forever."],
  ["Refuses a changed timestamp under the same signature", "Anyone who has seen a callback can replay it at any time."],
  ["Refuses a callback with a timestamp six minutes in the past", "Anyone who has seen a callback can replay it at any time."],
  ["Refuses a callback with a timestamp six minutes in the future", "Anyone who has seen a callback can replay it at any time."],
  ["Takes a valid callback after all the others", "An attacker's callbacks must not block the service's own."],
  ["Answers within 5 s", "An attempt fails after 30 s, so answer first and work afterwards."],
];

export const EVENT_RECEIVER_CHECKS: readonly (readonly [what: string, why: string])[] = [
  ["Takes an event of each kind of object", "The destination waits at the first event that you refuse."],
  [
    "Takes the same event again; if it sends X-Work-Count, that rises once",
    "After a crash or a replay, events come again under the same id.",
  ],
  [
    "Takes an older version after a newer one; if it sends X-Work-Count, that does not rise",
    "After a crash or a replay, an older version can come after a newer one. It would overwrite what is newer.",
  ],
  ["Takes a version after a gap", "A destination gets the types that you chose, so versions are missing in between."],
  ["Takes an event of an unknown type", "Types are added over time. A refused one stops your destination."],
  ["Refuses an unsigned event", "Anyone who knows your URL can report a settlement as paid."],
  ["Refuses an event that someone else signed", "Anyone who knows your URL can report a settlement as paid."],
  ["Refuses an event with another version under the same signature", "Anyone who knows your URL can report a settlement as paid."],
  ["Refuses an event with a timestamp six minutes in the past", "Anyone who has seen a callback can replay it at any time."],
  ["Takes a valid event after all the others", "An attacker's requests must not block the service's own."],
  ["Answers within 5 s", "An attempt fails after 30 s, so answer first and work afterwards."],
];

export const CLIENT_CHECKS: readonly (readonly [what: string, why: string])[] = [
  ["Signs every request correctly", "Nothing works."],
  ["Sends a new nonce with every request, retries included", "A retry is refused as a replay."],
  ["Quotes, confirms once, exits with 0 and ignores unknown fields", "Nothing works."],
  ["Sends an Idempotency-Key when it creates a settlement", "After a lost answer, you pay twice."],
  [
    "Waits as long as Retry-After says (429), then sends the same request again",
    "A client that retries too fast is throttled or blocked, exactly when the service is in trouble.",
  ],
  ["Waits and confirms again when the service is down (503)", "A settlement gets stuck because the service was down for two seconds."],
  [
    "Creates only one settlement when the answer to its quote is lost",
    "Each lost answer leaves an unknown quote behind. If it is confirmed, you pay twice.",
  ],
  ["Confirms with the same reference when the answer to its confirmation is lost", "After a lost answer, you pay twice."],
  ["Does not settle the order twice when it restarts after a crash during its confirmation", "After a lost answer, you pay twice."],
  ["Waits for an answer that takes six seconds", "A client that gives up too early asks twice."],
  ["Waits while its first request is still being answered (409 idempotency_in_progress)", "After a lost answer, you pay twice."],
  [
    "Does not retry too fast while an approval is pending (409 approval_pending)",
    "A client that retries too fast is throttled or blocked, exactly when the service is in trouble.",
  ],
  ["Does not confirm an amount other than the quoted one (409 quote_changed)", "Your merchant receives an amount that no one agreed to."],
  ["Does not invent a new reference when its own is taken (409 external_tx_id_conflict)", "After a lost answer, you pay twice."],
  [
    "Does not confirm an expired quote again (410), and uses a new Idempotency-Key for a new quote",
    "It retries forever on a quote that no longer counts.",
  ],
  ["Does not exit with 0 when the payment has failed", "Your books say that the merchant was paid, and nothing was."],
  [
    "Waits for an approval, reads the new price, and confirms it",
    "An approved settlement expires, or your merchant receives an amount that no one agreed to.",
  ],
  ["Signs a query as it is sent, whatever the order of its parameters", "Some of your requests are refused (401), and you do not see why."],
  [
    "Stops when its key was revoked (401)",
    "A client that retries too fast is throttled or blocked, exactly when the service is in trouble.",
  ],
  [
    "Stops when its order is refused (422)",
    "A client that retries too fast is throttled or blocked, exactly when the service is in trouble.",
  ],
  [
    "Uses the service's time, or stops, when its own clock is an hour off (401 stale_timestamp)",
    "A machine with a wrong clock cannot send any request.",
  ],
];

export const BATCH_CLIENT_CHECKS: readonly (readonly [what: string, why: string])[] = [
  ["Creates the batch, confirms it once, exits with 0 and ignores unknown fields", "Nothing works."],
  [
    "Creates only one batch when the answer to it is lost",
    "Each lost answer leaves an unknown batch behind. If both are confirmed, you pay everybody twice.",
  ],
  ["Finds the batch again by its external_batch_id when it restarts after a crash", "After a lost answer, you pay twice."],
  ["Confirms the same batch again, or reads it, when the answer to its confirmation is lost", "After a lost answer, you pay twice."],
  ["Does not confirm sums other than the quoted ones (409 quote_changed)", "You pay amounts that no one agreed to."],
  ["Requotes, or stops, when a quote in the batch has expired (410)", "It retries forever on a batch whose prices no longer count."],
  [
    "Stops when one item is refused (422)",
    "A client that retries too fast is throttled or blocked, exactly when the service is in trouble.",
  ],
  ["Does not exit with 0 when an item of the completed batch has failed", "Your books say that everybody was paid, and one was not."],
];

export const FIAT_CLIENT_CHECKS: readonly (readonly [what: string, why: string])[] = [
  ["Withdraws once, waits until it is completed, exits with 0 and ignores unknown fields", "Nothing works."],
  ["Tops up once, waits until it is completed, and exits with 0", "Nothing works."],
  ["Asks again under the same external_id when the answer is lost", "After a lost answer, you pay twice."],
  ["Finds its order again by its external_id when it restarts after a crash", "After a lost answer, you pay twice."],
  ["Does not exit with 0 when the provider could not collect", "Your books say that the member has paid, and no one has."],
];
