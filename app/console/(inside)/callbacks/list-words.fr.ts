import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { CALLBACK_COLUMNS, CALLBACK_GROUPS, CALLBACK_LIST, CALLBACKS_PAGE, ENDPOINTS, USE_CALLBACK_FILTERS } from "./list-words.ts";

const english = { CALLBACK_COLUMNS, CALLBACK_LIST, CALLBACKS_PAGE, ENDPOINTS, CALLBACK_GROUPS, USE_CALLBACK_FILTERS };

/** French. */
export const CALLBACKS_LIST_WORDS_FR = translated(english, {
  CALLBACK_COLUMNS: {
    nextOrEnded: "Prochain essai ou fin",
    gaveUp: "Abandonné",
    next: "Suivante",
  },
  CALLBACK_LIST: {
    noMatch: (held) => `Aucun résultat : ${held}.`,
    nothing: {
      undelivered: "Aucun callback non remis",
      retrying: "Aucun callback en route",
      all: "Aucun callback pour l’instant",
      endpoints: "",
    },
    noneMore: "Le premier est envoyé quand un règlement avec une adresse de callback est approuvé ou se termine.",
    allDelivered: "Tous les callbacks ont été remis.",
    noneSent: "Aucun envoi pour l’instant",
    stillRetried: (shown, retrying) =>
      `${shown} ${plural(retrying, "a échoué et sera encore réessayé", "ont échoué et seront encore réessayés")}.`,
    selected: (count) => `${count} ${plural(count, "sélectionné", "sélectionnés")}`,
    clear: "Effacer",
    caption: "Callbacks, du plus récent au plus ancien",
  },
  CALLBACKS_PAGE: {
    endpoints: "Récepteurs",
  },
  ENDPOINTS: {
    sending: "Envoi",
    noAttempts: "Aucune tentative en sept jours",
    columnsExplained: "{tooltip}, puis les durées des tentatives ayant reçu une réponse sur sept jours.",
    caption: "Récepteurs des sept derniers jours, et ceux avec des callbacks non remis",
    lastDay: "24 h",
    lastWeek: "7 j",
    firstAttemptsOfWeek: "Premières tentatives, 7 j",
    p50P95: "p50 / p95",
    lastOutcome: "Dernière remise, dernier échec",
    failures: "Échecs",
    notDelivered: "Non remis",
    retrying: (count) => `${count} à réessayer`,
    undelivered: (count) => `${count} non remis`,
    deliveredOf: (of) => `sur ${of}`,
    latencies: (p50Ms, p95Ms) => `${p50Ms} / ${p95Ms} ms`,
    inARow: (inARow) => `${inARow} de suite`,
    timeouts: (timeouts) => `${timeouts} ${plural(Number(timeouts), "délai dépassé", "délais dépassés")}`,
    firstAttemptsSucceeded: (good, tried) =>
      `${good} ${plural(good, "première tentative réussie", "premières tentatives réussies")} sur ${tried} en sept jours`,
  },
  CALLBACK_GROUPS: {
    title: "Par cause et récepteur",
    resendAll: (count) => `Tout renvoyer (${count})`,
    failedSince: "En échec depuis {time}.",
    latest: "Voir les dernières tentatives",
    show: (count) => `Afficher (${count})`,
    resendSince: "Renvoyer tous les échecs depuis…",
    resendTitle: "Renvoyer les échecs",
    failedSinceUtc: "Échoués depuis (UTC)",
    count: "Compter",
    recentResends: "Renvois récents",
    callbacks: (total) => `${total} callbacks`,
    resendOutcome: (by, delivered, undelivered, isOver, queued, retrying) => {
      const left = queued + retrying;
      const more = isOver ? "" : `, ${left} ${plural(left, "restant", "restants")}`;
      return `{time}${by ? `, par ${by}` : ""} : ${delivered} remis, ${undelivered} non remis${more}`;
    },
  },
  USE_CALLBACK_FILTERS: {
    states: { pending: "En file ou à réessayer", delivered: "Remis", undelivered: "Non remis" },
    callbacks: "callbacks",
    to: (origin) => `vers ${origin}`,
    idHint: "L’identifiant complet : tx_…, wd_… ou tu_…",
    aboutId: (id) => `au sujet de ${id}`,
  },
});
