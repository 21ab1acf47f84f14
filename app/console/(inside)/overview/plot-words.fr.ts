import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { CALLBACK_CHART, OUTCOMES, SPANS, TIMING_CHARTS, TREASURY_CHARTS, VOLUME } from "./plot-words.ts";

/** By a number that is written already: one that is written with separators is many. */
const pluralOf = (written: string, one: string, many: string) => plural(Number(written), one, many);

/** French. */
export const OVERVIEW_PLOT_WORDS_FR = translated(
  { OUTCOMES, VOLUME, SPANS, CALLBACK_CHART, TIMING_CHARTS, TREASURY_CHARTS },
  {
    OUTCOMES: {
      title: "Règlements par issue",
      none: "Aucun règlement créé sur cette période.",
      summary: (created, executed) =>
        `${created} ${pluralOf(created, "créé", "créés")}, dont ${executed} ${pluralOf(executed, "exécuté", "exécutés")} à ce jour.`,
      funnel: {
        title: "De la cotation à l’exécution",
        summary: (confirmed, created, executed) => `Sur ${created}, ${confirmed} sont confirmés et ${executed} exécutés.`,
        stage: "Étape",
        settlements: "Règlements",
        share: "Part des créés",
        confirmed: "Confirmé",
        executed: "Exécuté",
        lossBefore: "avant confirmation",
        lossAfter: "après confirmation",
      },
    },
    VOLUME: {
      title: "Volume remis",
      none: "Rien n’a été remis sur cette période.",
      and: " et ",
      dashed: " ; en tirets : la période précédente",
      sumsAbove: (dashed) => `Les sommes sont ci-dessus${dashed ? " ; en tirets : la période précédente" : ""}.`,
      before: (token) => `${token} avant`,
      allPairs: "Toutes les paires",
    },
    SPANS: {
      day: "par jour, UTC",
      hours: (hours) => `par ${hours} heures, UTC`,
      hour: (zone) => `par heure, ${zone}`,
      minutes: (minutes, zone) => `par ${minutes} ${plural(minutes, "minute", "minutes")}, ${zone}`,
    },
    CALLBACK_CHART: {
      firstAttemptLegend: "Au premier essai",
      none: "Aucun callback envoyé sur cette période.",
      summary: (tried, delivered, of, atFirst, undelivered, retried) =>
        `${tried === 0 ? "" : `${delivered} sur ${of} remis, ${atFirst} à la première tentative ; `}${undelivered} non remis, ${retried} ${pluralOf(retried, "échoué", "échoués")} et encore en cours de réessai.`,
      tried: "Tentés",
      firstAttempt: "À la première tentative",
      stillRetried: "Encore en cours de réessai",
      caption: "Callbacks remis, en pour cent",
    },
    TIMING_CHARTS: {
      p50: "p50",
      p95: "p95",
      executionTitle: "De la confirmation à l’exécution",
      noneExecuted: "Aucun règlement exécuté sur cette période.",
      executionSummary: (chain, slowest) => `Sur ${chain} ; p95 de ${slowest} au plus.`,
      executionCaption: (chain) => `Secondes de la confirmation à l’exécution sur ${chain}`,
      waitingNow: "En attente",
      whenDecided: "À la décision",
      decidedSince: (since) => `plus de ${since}`,
      approvalTitle: "Âge des approbations",
      approvalNone: "Aucune en attente, et aucune décidée sur cette période.",
      approvalSummary: (waiting, decided) =>
        `${waiting} en attente ; ${decided} ${pluralOf(decided, "décidée", "décidées")} sur cette période.`,
      approvalCaption: "Approbations par âge",
      ageSinceCreation: "Âge depuis la création",
      decisions: "Décisions",
      noDecisions: "Aucune décision prise sur cette période.",
      decisionsSummary: (approved, rejected) =>
        `${approved} ${pluralOf(approved, "approuvé", "approuvés")}, ${rejected} ${pluralOf(rejected, "rejeté", "rejetés")}.`,
    },
    TREASURY_CHARTS: {
      notUsed: "inutilisé",
      paysFees: "paie les frais",
      moreThanDays: (given) => `> ${given / 24} j`,
      runwayTitle: "Autonomie des portefeuilles",
      noWallet: "Aucun portefeuille n’a encore été lu.",
      allLast: (given) => `Chaque solde tient plus de ${given} heures au rythme des dernières 24.`,
      shortestRunway: (balance, hours) => `${balance} : moins de ${hours} heures, ou solde bas.`,
      usedLastDay: "Utilisé en 24 h",
      lowInWallets: (low, wallets) =>
        low === wallets ? ", bas" : `, bas dans ${low} ${plural(low, "portefeuille", "portefeuilles")} sur ${wallets}`,
      partlyLow: (currency, low, wallets) =>
        `${currency} est bas dans ${low} ${plural(low, "portefeuille", "portefeuilles")} sur ${wallets}.`,
      onChain: (currency, chain) => `${currency} sur ${chain}`,
      ratesTitle: "Âge des taux",
      noRates: "Aucun taux pour l’instant.",
      allFresh: (count) => (count === 1 ? "Le seul taux est à jour." : `Les ${count} sont à jour.`),
      tooOldToQuote: (given) => `${given} : aucun taux pour coter.`,
      ratesCaption: "Taux et paires",
      tooOldSuffix: ", trop ancien",
    },
  },
);
