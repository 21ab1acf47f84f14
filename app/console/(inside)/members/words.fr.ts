import { translated } from "../../_words/translation.ts";
import {
  COLUMNS,
  DEPLOYMENT_PROGRESS,
  EDIT_MEMBER,
  MEMBER_FORM,
  MEMBER_LIST,
  MEMBER_RULES,
  PAGE,
  SAFE_BADGE,
  SAFE_STATES,
} from "./words.ts";

const ENGLISH = { PAGE, MEMBER_LIST, COLUMNS, MEMBER_FORM, EDIT_MEMBER, MEMBER_RULES, DEPLOYMENT_PROGRESS, SAFE_STATES, SAFE_BADGE };

/** French. */
export const MEMBERS_WORDS_FR = translated(ENGLISH, {
  PAGE: { title: "Membres" },
  MEMBER_LIST: {
    one: "membre",
    many: "membres",
    searchedBy: "référence, nom, téléphone ou portefeuille",
    none: "Aucun membre pour l’instant",
    noneMore: "Un membre est un client final avec un portefeuille. Un membre sans portefeuille reçoit un Safe.",
  },
  COLUMNS: { volume: "Volume sur 30 jours" },
  MEMBER_FORM: {
    memberCreated: "Membre créé",
    memberExists: "Ce membre existe déjà",
    createMember: "Créer le membre",
    externalIdHint: "Votre propre identifiant pour ce membre. Vous ne pourrez plus le modifier.",
    externalIdWanted: "Saisissez votre identifiant pour ce membre.",
    phoneHint: "Avec l’indicatif du pays, par exemple +254 712 345 678.",
    walletHint: "Facultatif. Sans portefeuille, le service déploie un Safe.",
  },
  EDIT_MEMBER: {
    title: "Modifier le membre",
    changed: "Membre modifié",
    unchangeable: "Identifiant externe, portefeuille et chaîne sont définitifs.",
  },
  MEMBER_RULES: {
    phone: "Saisissez un numéro de téléphone avec l’indicatif du pays, par exemple +254 712 345 678.",
    email: "Saisissez une adresse e-mail.",
  },
  DEPLOYMENT_PROGRESS: {
    label: "Avancement du déploiement",
    underReview: (reviewReason) => `En vérification : ${reviewReason}`,
    stages: {
      queued: "En file d’attente",
      signed: "Signé",
      broadcast: "Diffusé",
      confirming: "En confirmation",
      checked: "Vérifié",
    },
  },
  SAFE_STATES: {
    deploying: "En déploiement",
    deployed: "Déployé",
    failed: "Échoué",
    own: "Portefeuille propre",
  },
  SAFE_BADGE: {
    deployed: "Safe déployé",
    failed: "Safe échoué",
    deploying: "Déploiement du Safe",
    own: "Portefeuille propre",
  },
});
