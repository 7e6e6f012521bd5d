/** Why people report something, in the order of the form, with the words of the form. */
export const REPORT_REASON_TEXTS = {
  spam: 'Spam or advertising',
  harassment: 'Harassment or bullying',
  threat: 'Threats or violence',
  sexual: 'Unwanted sexual content',
  child: 'A child in danger',
  impersonation: 'Pretending to be someone else',
  illegal: 'Something else that is illegal',
  other: 'Something else',
} as const;

/** Somebody may be in danger: the operator hears of these first. */
export const DANGERS: readonly ReportReason[] = ['threat', 'child'];

export type ReportReason = keyof typeof REPORT_REASON_TEXTS;
export const REPORT_REASONS = Object.keys(REPORT_REASON_TEXTS) as [ReportReason, ...ReportReason[]];
