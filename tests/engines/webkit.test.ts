import { testMainJob } from './main-job.ts';
import { startWebKit } from './webkit.ts';

testMainJob('WebKitGTK', startWebKit);
