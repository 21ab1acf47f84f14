import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { CALCULATOR, PAGE, PAIR_STATES, PARTNER_PAIRS, RATE_SIGNS, RATES_SCREEN } from "./words.ts";

/** French. */
export const RATES_WORDS_FR = translated(
  { PAGE, RATES_SCREEN, PARTNER_PAIRS, CALCULATOR, RATE_SIGNS, PAIR_STATES },
  {
    PAGE: {
      title: "Taux et paires",
    },
    RATES_SCREEN: {
      none: "Aucune paire pour l’instant",
      noneMore: "Les conditions se fixent pour les chaînes et les jetons de la configuration.",
      caption: "Paires avec leurs taux et conditions",
      halted: (pairs) => `La cotation est arrêtée pour ${pairs} ${plural(pairs, "paire", "paires")}`,
      haltedBy: (pairs, cause) => `${pairs} : ${cause}.`,
      day: "24 h",
      onTerms: (chain) => `sur ${chain} : conditions`,
      bps: (points) => `${points} bps`,
      maximum: "Une approbation au-delà de",
      upTo: (amount) => `une approbation au-delà de ${amount}`,
      twoApprovalsAbove: "Deux approbations au-delà de",
      lifetime: "Validité",
      overrides: "Conditions propres",
    },
    PARTNER_PAIRS: {
      none: "Aucune paire pour l’instant",
      noneMore: "L’opérateur ne vous a encore ouvert aucune paire.",
      caption: "Paires que vous pouvez coter",
      quoting: "Cotation",
      fee: (amount) => `frais ${amount}`,
      approvalAbove: "Approbation au-delà de",
      approvalFrom: (amount) => `approbation au-delà de ${amount}`,
      quoteLifetime: "Validité de la cotation",
      copyApiCall: (pair) => `Copier ${pair} comme appel d’API`,
    },
    CALCULATOR: {
      title: "Convertir au taux médian",
      amountWanted: "Saisissez un montant supérieur à zéro",
      fromFiat: "Convertir depuis le fiat",
      toFiat: "Convertir en fiat",
      rate: (from, rate, to) => `1 ${from} = ${rate} ${to}, avant marge et frais`,
      amountIn: (currency) => `Montant en ${currency || "unités"}`,
    },
    RATE_SIGNS: {
      constant: (rate) => `${rate}, constant`,
      fromTo: (least, most) => `de ${least} à ${most}`,
      sparkline: (name, range) => `${name}, taux médians des cotations sur 24 heures : ${range}`,
    },
    PAIR_STATES: {
      up: "Cotée",
      disabled: "Désactivée",
      no_rate: "Sans taux",
      stale_rate: "Taux trop ancien",
      unquotable_rate: "Sans prix",
      chain_paused: "Chaîne arrêtée",
      causes: {
        no_rate: "il n’y a pas de taux, car la source n’en a communiqué aucun ou il a été retiré",
        stale_rate: "la source n’a pas communiqué de taux depuis trop longtemps",
        unquotable_rate: "le taux et la marge ne donnent aucun prix utilisable",
        chain_paused: "la chaîne est arrêtée, ou tous ses portefeuilles",
      },
    },
  },
);
