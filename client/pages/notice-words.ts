/** What follows from turning off the emails of the day, for the link in one of them and the profile. */
export const NOT_TOLD_ON_THE_DAY =
  "We won't write to you any more when a capsule opens. You'll have to look at your dashboard to find out.";
