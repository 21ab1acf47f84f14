import { CONTROLS_WORDS_FR } from "../_components/controls/words.fr.ts";
import { DIALOGS_LOADED_WORDS_FR } from "../_components/dialogs/loaded-words.fr.ts";
import { DIALOGS_WORDS_FR } from "../_components/dialogs/words.fr.ts";
import { FRAME_PALETTE_WORDS_FR } from "../_components/frame/palette-words.fr.ts";
import { FRAME_WORDS_FR } from "../_components/frame/words.fr.ts";
import { LISTS_WORDS_FR } from "../_components/lists/words.fr.ts";
import { WORKBENCH_OPENER_WORDS_FR } from "../_components/workbench/opener-words.fr.ts";
import { WORKBENCH_WORDS_FR } from "../_components/workbench/words.fr.ts";
import { FORMAT_WORDS_FR } from "../_format/words.fr.ts";
import { ACCOUNT_WORDS_FR } from "../(inside)/account/words.fr.ts";
import { APPROVALS_BATCH_WORDS_FR } from "../(inside)/approvals/batch-words.fr.ts";
import { APPROVALS_FOOT_WORDS_FR } from "../(inside)/approvals/foot-words.fr.ts";
import { APPROVALS_WORDS_FR } from "../(inside)/approvals/words.fr.ts";
import { AUDIT_WORDS_FR } from "../(inside)/audit/words.fr.ts";
import { BATCH_WORDS_FR } from "../(inside)/batches/[ids]/words.fr.ts";
import { NEW_BATCH_WORDS_FR } from "../(inside)/batches/new/words.fr.ts";
import { BATCHES_WORDS_FR } from "../(inside)/batches/words.fr.ts";
import { CALLBACK_PAGE_WORDS_FR } from "../(inside)/callbacks/[id]/words.fr.ts";
import { CALLBACKS_LIST_WORDS_FR } from "../(inside)/callbacks/list-words.fr.ts";
import { CALLBACKS_PAUSE_WORDS_FR } from "../(inside)/callbacks/pause-words.fr.ts";
import { CALLBACKS_RESEND_WORDS_FR } from "../(inside)/callbacks/resend-words.fr.ts";
import { RESEND_JOB_WORDS_FR } from "../(inside)/callbacks/resends/[job_id]/words.fr.ts";
import { CALLBACKS_STATE_WORDS_FR } from "../(inside)/callbacks/state-words.fr.ts";
import { CALLBACKS_WORDS_FR } from "../(inside)/callbacks/words.fr.ts";
import { CALLBACK_TESTER_WORDS_FR } from "../(inside)/developers/callback-tester/words.fr.ts";
import { DESTINATIONS_WORDS_FR } from "../(inside)/developers/destinations/words.fr.ts";
import { GO_LIVE_WORDS_FR } from "../(inside)/developers/go-live/words.fr.ts";
import { API_KEYS_WORDS_FR } from "../(inside)/developers/keys/words.fr.ts";
import { API_REQUEST_WORDS_FR } from "../(inside)/developers/log/[request_id]/words.fr.ts";
import { API_LOG_WORDS_FR } from "../(inside)/developers/log/words.fr.ts";
import { RECEIVER_CHECK_WORDS_FR } from "../(inside)/developers/receiver-check/words.fr.ts";
import { FIAT_ORDER_WORDS_FR } from "../(inside)/fiat/order-words.fr.ts";
import { FIAT_STORY_WORDS_FR } from "../(inside)/fiat/story-words.fr.ts";
import { FIAT_WORDS_FR } from "../(inside)/fiat/words.fr.ts";
import { INCIDENTS_WORDS_FR } from "../(inside)/incidents/words.fr.ts";
import { MEMBER_WORDS_FR } from "../(inside)/members/[id]/words.fr.ts";
import { SAFES_WORDS_FR } from "../(inside)/members/safes/words.fr.ts";
import { MEMBERS_WORDS_FR } from "../(inside)/members/words.fr.ts";
import { NOTIFICATIONS_WORDS_FR } from "../(inside)/notifications/words.fr.ts";
import { OVERVIEW_PLOT_WORDS_FR } from "../(inside)/overview/plot-words.fr.ts";
import { OVERVIEW_WORDS_FR } from "../(inside)/overview/words.fr.ts";
import { PARTNER_WORDS_FR } from "../(inside)/partners/[id]/words.fr.ts";
import { BANK_FILE_WORDS_FR } from "../(inside)/partners/bank-file/words.fr.ts";
import { NEW_PARTNER_WORDS_FR } from "../(inside)/partners/new/words.fr.ts";
import { PARTNERS_WORDS_FR } from "../(inside)/partners/words.fr.ts";
import { ROLE_WORDS_FR } from "../(inside)/people/role-words.fr.ts";
import { PEOPLE_WORDS_FR } from "../(inside)/people/words.fr.ts";
import { POLICY_DEMAND_WORDS_FR } from "../(inside)/policy/demand-words.fr.ts";
import { POLICY_WORDS_FR } from "../(inside)/policy/words.fr.ts";
import { PROPOSALS_WORDS_FR } from "../(inside)/proposals/words.fr.ts";
import { QUEUE_WORDS_FR } from "../(inside)/queue/words.fr.ts";
import { RATES_TERMS_WORDS_FR } from "../(inside)/rates/terms-words.fr.ts";
import { RATES_WORDS_FR } from "../(inside)/rates/words.fr.ts";
import { SETTINGS_WORDS_FR } from "../(inside)/settings/words.fr.ts";
import { SETTLEMENT_PAYMENT_WORDS_FR } from "../(inside)/settlements/[tx_id]/payment-words.fr.ts";
import { SETTLEMENT_WORDS_FR } from "../(inside)/settlements/[tx_id]/words.fr.ts";
import { SETTLEMENTS_WORDS_FR } from "../(inside)/settlements/words.fr.ts";
import { SINGLE_SIGN_ON_WORDS_FR } from "../(inside)/single-sign-on/words.fr.ts";
import { STATEMENTS_WORDS_FR } from "../(inside)/statements/words.fr.ts";
import { TEAM_WORDS_FR } from "../(inside)/team/words.fr.ts";
import { TREASURY_ACCOUNT_WORDS_FR } from "../(inside)/treasury/account-words.fr.ts";
import { TREASURY_EFFECT_WORDS_FR } from "../(inside)/treasury/effect-words.fr.ts";
import { TREASURY_HELD_WORDS_FR } from "../(inside)/treasury/held-words.fr.ts";
import { TREASURY_LIMIT_WORDS_FR } from "../(inside)/treasury/limit-words.fr.ts";
import { TREASURY_ORDER_WORDS_FR } from "../(inside)/treasury/order-words.fr.ts";
import { TREASURY_SUSPENSE_WORDS_FR } from "../(inside)/treasury/suspense-words.fr.ts";
import { TREASURY_WITHDRAWAL_WORDS_FR } from "../(inside)/treasury/withdrawal-words.fr.ts";
import { TREASURY_WORDS_FR } from "../(inside)/treasury/words.fr.ts";
import { INSIDE_WORDS_FR } from "../(inside)/words.fr.ts";
import { INVITATION_WORDS_FR } from "../invitation/[token]/words.fr.ts";
import { RUNBOOKS_WORDS_FR } from "../runbooks/words.fr.ts";
import { SIGN_IN_WORDS_FR } from "../sign-in/words.fr.ts";
import { CONSOLE_WORDS_FR } from "../words.fr.ts";
import { FORMAT_FR } from "./formats.fr.ts";
import { addDictionary } from "./language.ts";
import { SHARED_FR } from "./shared.fr.ts";
import { Dictionary } from "./translation.ts";

/** Every words file's translation. A test compares this list with the files. */
export const FRENCH = new Dictionary([
  ACCOUNT_WORDS_FR,
  APPROVALS_BATCH_WORDS_FR,
  APPROVALS_FOOT_WORDS_FR,
  APPROVALS_WORDS_FR,
  AUDIT_WORDS_FR,
  BATCH_WORDS_FR,
  NEW_BATCH_WORDS_FR,
  BATCHES_WORDS_FR,
  CALLBACK_PAGE_WORDS_FR,
  CALLBACKS_PAUSE_WORDS_FR,
  CALLBACKS_LIST_WORDS_FR,
  CALLBACKS_RESEND_WORDS_FR,
  RESEND_JOB_WORDS_FR,
  CALLBACKS_STATE_WORDS_FR,
  CALLBACKS_WORDS_FR,
  CALLBACK_TESTER_WORDS_FR,
  DESTINATIONS_WORDS_FR,
  GO_LIVE_WORDS_FR,
  API_KEYS_WORDS_FR,
  API_REQUEST_WORDS_FR,
  API_LOG_WORDS_FR,
  RECEIVER_CHECK_WORDS_FR,
  FIAT_ORDER_WORDS_FR,
  FIAT_STORY_WORDS_FR,
  FIAT_WORDS_FR,
  INCIDENTS_WORDS_FR,
  MEMBER_WORDS_FR,
  SAFES_WORDS_FR,
  MEMBERS_WORDS_FR,
  NOTIFICATIONS_WORDS_FR,
  OVERVIEW_PLOT_WORDS_FR,
  OVERVIEW_WORDS_FR,
  PARTNER_WORDS_FR,
  BANK_FILE_WORDS_FR,
  NEW_PARTNER_WORDS_FR,
  PARTNERS_WORDS_FR,
  ROLE_WORDS_FR,
  PEOPLE_WORDS_FR,
  POLICY_DEMAND_WORDS_FR,
  POLICY_WORDS_FR,
  PROPOSALS_WORDS_FR,
  QUEUE_WORDS_FR,
  RATES_TERMS_WORDS_FR,
  RATES_WORDS_FR,
  SETTINGS_WORDS_FR,
  SETTLEMENT_PAYMENT_WORDS_FR,
  SETTLEMENT_WORDS_FR,
  SETTLEMENTS_WORDS_FR,
  SINGLE_SIGN_ON_WORDS_FR,
  STATEMENTS_WORDS_FR,
  TEAM_WORDS_FR,
  TREASURY_ACCOUNT_WORDS_FR,
  TREASURY_EFFECT_WORDS_FR,
  TREASURY_HELD_WORDS_FR,
  TREASURY_LIMIT_WORDS_FR,
  TREASURY_ORDER_WORDS_FR,
  TREASURY_SUSPENSE_WORDS_FR,
  TREASURY_WITHDRAWAL_WORDS_FR,
  TREASURY_WORDS_FR,
  INSIDE_WORDS_FR,
  CONTROLS_WORDS_FR,
  DIALOGS_LOADED_WORDS_FR,
  DIALOGS_WORDS_FR,
  FRAME_PALETTE_WORDS_FR,
  FRAME_WORDS_FR,
  LISTS_WORDS_FR,
  WORKBENCH_OPENER_WORDS_FR,
  WORKBENCH_WORDS_FR,
  FORMAT_WORDS_FR,
  FORMAT_FR,
  SHARED_FR,
  INVITATION_WORDS_FR,
  RUNBOOKS_WORDS_FR,
  SIGN_IN_WORDS_FR,
  CONSOLE_WORDS_FR,
]);

addDictionary("fr", FRENCH);
