import { plural } from "../../../_words/plural.fr.ts";
import { translated } from "../../../_words/translation.ts";
import { COLUMNS, HISTOGRAM, LOG, PAGE, REFUSALS } from "./words.ts";

/** French. */
export const API_LOG_WORDS_FR = translated(
  { PAGE, LOG, COLUMNS, HISTOGRAM, REFUSALS },
  {
    PAGE: { title: "Journal de l’API" },
    LOG: {
      one: "requête",
      many: "requêtes",
      kept: (logDays, bodyDays) =>
        `Les requêtes sont conservées ${logDays} jours, les corps des signatures refusées ${bodyDays} ${plural(bodyDays, "jour", "jours")}`,
      nothing: (held) => `Aucune requête : ${held}.`,
      none: "Aucune requête sur cette période",
      noneOperator: "Les requêtes avec toute clé connue apparaissent ici.",
      nonePartner: "Chaque requête avec l’une de vos clés apparaît ici, correctement signée ou non.",
      signFirstOne: "Signer la première",
      fromTo: (from, to) => `de ${from} à ${to}`,
      inTimeSpan: "sur cette période",
      errorCode: "Code d’erreur",
      codeHint: "Par exemple signature_mismatch",
      pathBegins: "Le chemin commence par",
      pathHint: "Par exemple /api/v1/settlements",
      underPath: (path) => `sous ${path}`,
      byPartner: (partner) => `de ${partner}`,
      withRequestId: (id) => `requête ${id}`,
      requestHint: "Chaque réponse le porte dans X-Request-Id. La recherche couvre toutes les requêtes conservées",
      aboutSettlement: (id) => `sur ${id}`,
      span: "Période",
      withKey: (name) => `avec ${name ?? "une clé"}`,
      ranges: { "1h": "Dernière heure", "24h": "Dernières 24 heures", "7d": "7 derniers jours", "30d": "30 derniers jours" },
      classes: { "2xx": "2xx, avec réponse", "4xx": "4xx, refusées", "5xx": "5xx, échouées" },
    },
    COLUMNS: {
      ms: (milliseconds) => `${milliseconds} ms`,
      operator: "Opérateur",
      replayed: "rejouée",
      inConsole: (person) => `${person ?? "Console"}, dans la console`,
    },
    HISTOGRAM: {
      asTable: "Voir en tableau",
      caption: "Requêtes par classe de statut, sans les périodes vides",
      zoom: "Zoomer",
      showThese: "Afficher celles-ci",
      barTitle: (requests, bar, most) =>
        `${requests} ${plural(requests, "requête", "requêtes")}, une barre = ${bar}, au plus ${most} dans une barre`,
    },
    REFUSALS: {
      title: (count) => `Erreurs par code et opération (${count})`,
      caption: "Erreurs par code et opération",
      code: "Code",
      count: "Nombre",
      latest: "Dernières",
      action: "Que faire",
      docs: "Documentation",
    },
  },
);
