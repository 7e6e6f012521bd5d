/** What follows from turning off the emails of the day, for the link in one of them and the profile. */
export const NOT_TOLD_ON_THE_DAY =
  "We'll stop emailing you when a capsule opens. Check your dashboard on the day.";
