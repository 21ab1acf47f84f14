import { translated } from "../../_words/translation.ts";
import {
  ATTEMPT_NOW,
  ATTEMPT_RAIL,
  ATTEMPT_VIEW,
  BODY_BLOCK,
  CALLBACK_VIEW,
  DUE,
  EXCHANGE,
  PAGE,
  RESEND_ONE,
  TIMING_BAR,
} from "./words.ts";

const english = { PAGE, BODY_BLOCK, EXCHANGE, RESEND_ONE, ATTEMPT_NOW, ATTEMPT_RAIL, ATTEMPT_VIEW, TIMING_BAR, CALLBACK_VIEW, DUE };

/** French. */
export const CALLBACKS_WORDS_FR = translated(english, {
  PAGE: { title: "Callbacks" },
  BODY_BLOCK: {
    bytes: (bytes) => `${bytes} octets`,
    truncated: ", tronqué à 4 Kio",
    raw: "Brut",
    copy: (label) => `Copier : ${label}`,
    empty: "Vide",
  },
  EXCHANGE: {
    errorClass: "Classe d’erreur",
    resolvedAddress: "Adresse résolue",
    requestHeaders: "En-têtes de la requête",
    nothingSent: "Rien n’a été envoyé.",
    inProgress: "En cours.",
    response: "Réponse",
    noAnswer: "Sans réponse",
    responseHeaders: "En-têtes de la réponse",
    responseBody: "Corps de la réponse",
    noBody: "Aucun corps.",
    redirect: (responseStatus) => `${responseStatus}, une redirection : non suivie`,
    notAccepted: (responseStatus) => `${responseStatus}, pas un 2xx`,
  },
  RESEND_ONE: {
    title: "Renvoyer ce callback",
    firstAttemptFollows: "La première tentative suit immédiatement.",
    to: "Vers {url}",
  },
  ATTEMPT_NOW: {
    means: "En plus des six tentatives. En cas d’échec, le calendrier ne change pas.",
    queued: "Essai en cours",
    notTried: "Non essayé",
    tryNow: "Essayer maintenant",
    tryingOne: "1 essai en cours",
    tryingMany: (asked) => `${asked} essais en cours`,
    tryAll: (count) => `Tout essayer maintenant (${count})`,
  },
  ATTEMPT_RAIL: {
    attempt: (given) => `Tentative ${given} :`,
    nextAttempt: "Prochaine tentative dans",
    paused: "en pause",
    atOnce: "sans délai",
    timeUsed: "Temps écoulé sur les 30 secondes de la tentative",
  },
  ATTEMPT_VIEW: {
    somebody: "quelqu’un",
    ms: (durationMs) => `${durationMs} ms`,
    attempt: "Tentative",
    extraToSix: "En plus des six",
    attemptOfSix: (number) => `${number} sur 6`,
    asked: "Demandée",
    due: "Prévue",
    manual: "manuelle",
    automatic: "automatique",
    manualBy: (who) => `manuelle, par ${who}`,
    key: (name) => `la clé « ${name} »`,
    operator: "l’opérateur",
    keyNoun: "une clé",
  },
  TIMING_BAR: {
    dns: "DNS",
    connect: "Connexion",
    tls: "TLS",
    firstByte: "Premier octet",
    body: "Reste",
    label: "Répartition du temps",
    phase: (word, ms) => `${word} ${ms} ms`,
  },
  CALLBACK_VIEW: {
    callback: (word) => `Callback « ${word} »`,
    resentBy: (series, who) =>
      `Renvoyé ${series === 2 ? "une fois" : `${series - 1} fois`}${who === null ? "" : `, en dernier par ${who}`}.`,
  },
  DUE: { now: "maintenant" },
});
