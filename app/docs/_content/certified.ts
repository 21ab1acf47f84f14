/** What the certifier checks, as it is told in the documentation; a test holds it against the certifier. */

export const RECEIVER_CHECKS: readonly (readonly [what: string, why: string])[] = [
  ["Takes every event", "Otherwise the service tries it six times and then gives up."],
  ["Takes the same callback again", "If your 2xx is lost, the same callback arrives again for up to 14 hours."],
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
  ["Takes a body of 60 KiB", "Otherwise a long reason never reaches you."],
  ["Finds its signature among several", "During a secret rotation, and with public keys, the header contains several signatures."],
  ["Refuses an unsigned callback", "Otherwise anyone who knows your URL can report a settlement as paid."],
  ["Refuses empty signatures", "Otherwise anyone who knows your URL can report a settlement as paid."],
  ["Refuses a callback that someone else signed", "Otherwise anyone who knows your URL can report a settlement as paid."],
  ["Refuses a body with one digit changed", "Otherwise anyone who knows your URL can report a settlement as paid."],
  ["Refuses a changed id under the same signature", "Otherwise anyone who has seen one callback can replay it under new ids forever."],
  ["Refuses a changed timestamp under the same signature", "Otherwise anyone who has seen a callback can replay it at any time."],
  ["Refuses a callback that was signed an hour ago", "Otherwise anyone who has seen a callback can replay it at any time."],
  ["Refuses a callback that is dated an hour ahead", "Otherwise anyone who has seen a callback can replay it at any time."],
  ["Takes a valid callback after all the others", "An attacker's callbacks must not block the service's own."],
  ["Answers within 5 s", "After 30 s an attempt has failed: answer first, work afterwards."],
];

export const CLIENT_CHECKS: readonly (readonly [what: string, why: string])[] = [
  ["Signs every request right", "Nothing works."],
  ["Sends a new nonce with every request, a repeated one too", "A repeat is refused as a replay."],
  ["Quotes, confirms once and ends with 0; fields that it does not know do not trouble it", "Nothing works."],
  ["Sends an Idempotency-Key with what makes a settlement", "A lost answer is paid for twice."],
  [
    "Waits as long as Retry-After says (429), and asks for the same again",
    "A client that hammers is throttled, or its key is blocked, just when the service is in trouble.",
  ],
  ["Waits and confirms again when the service is down (503)", "A settlement hangs because the service was away for two seconds."],
  [
    "Makes one settlement when the answer to its quote is lost",
    "Each lost answer leaves a quote behind that nobody knows; confirmed, it is paid twice.",
  ],
  ["Confirms under the same reference when the answer to its confirmation is lost", "A lost answer is paid for twice."],
  ["Started again after it died behind its confirmation, it settles the order no second time", "A lost answer is paid for twice."],
  ["Has the patience for an answer that takes six seconds", "Whoever hangs up first asks twice."],
  ["Waits while its first request is still being answered (409 idempotency_in_progress)", "A lost answer is paid for twice."],
  [
    "Does not hammer while an admin has yet to approve (409 approval_pending)",
    "A client that hammers is throttled, or its key is blocked, just when the service is in trouble.",
  ],
  ["Confirms no other amount than it was quoted (409 quote_changed)", "Your merchant is paid an amount that nobody agreed to."],
  ["Invents no new reference when its own is taken (409 external_tx_id_conflict)", "A lost answer is paid for twice."],
  [
    "Does not confirm an expired quote again (410); a new quote has a new Idempotency-Key",
    "It turns for ever on a quote that nobody will honour.",
  ],
  [
    "Stops when its key was revoked (401)",
    "A client that hammers is throttled, or its key is blocked, just when the service is in trouble.",
  ],
  [
    "Stops when its order is refused (422)",
    "A client that hammers is throttled, or its key is blocked, just when the service is in trouble.",
  ],
  [
    "Sets its clock by the service, or stops, when its own is an hour off (401 stale_timestamp)",
    "A machine whose clock is wrong is a partner who is away.",
  ],
];
