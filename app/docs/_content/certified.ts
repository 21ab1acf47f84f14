/** What the certifier checks, as it is told in the documentation; a test holds it against the certifier. */

export const RECEIVER_CHECKS: readonly (readonly [what: string, why: string])[] = [
  ["Takes every event", "It would be tried six times and given up."],
  ["Takes the same callback again", "Your 2xx was lost on its way, and what you have already done is sent for 14 hours."],
  ["Takes two copies that come at once", "A second copy overtakes the first after a time-out."],
  ["Takes ten callbacks at once", "Settlements end together: what you refuse comes minutes later."],
  [
    "Takes an approval that comes behind the end of its settlement",
    "Retried callbacks overtake each other: the newest news is not what came last.",
  ],
  ["Takes an event that it does not know", "Events are added: whoever refuses them is sent each six times, and has a receiver in trouble."],
  ["Takes a body with a field that it does not know", "Fields are added without notice."],
  ["Checks the bytes as they came", "A blank or an escape more in a body, and no signature fits what was parsed and written again."],
  ["Takes a body of 60 KiB", "A long reason would never reach you."],
  ["Finds its signature among several", "While a secret is replaced, and with public keys, the header holds more than yours."],
  ["Refuses what is not signed", "Anybody who knows your URL tells you that a settlement was paid."],
  ["Refuses empty signatures", "Anybody who knows your URL tells you that a settlement was paid."],
  ["Refuses what somebody else signed", "Anybody who knows your URL tells you that a settlement was paid."],
  ["Refuses a body of which one digit was changed", "Anybody who knows your URL tells you that a settlement was paid."],
  ["Refuses another id under the same signature", "Whoever has seen one callback replays it under new ids for ever."],
  ["Refuses another timestamp under the same signature", "What was overheard once is told again whenever it suits somebody."],
  ["Refuses a callback that was signed an hour ago", "What was overheard once is told again whenever it suits somebody."],
  ["Refuses a callback that is signed for in an hour", "What was overheard once is told again whenever it suits somebody."],
  ["Takes a callback after all that", "What somebody sends you must not stop what the service sends."],
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
