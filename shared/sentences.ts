/** What server and client both say in the same words. */

export const CHECK_FIELDS = 'Please check the highlighted fields.';
export const DAY_AFTER_TODAY = 'Please choose an unlock date after today.';
export const NO_SUCH_PROFILE = "This user profile doesn't exist or is private.";
