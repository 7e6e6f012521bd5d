import { startFirefox } from './firefox.ts';
import { testMainJob } from './main-job.ts';

testMainJob('Firefox', startFirefox);
