import { describe } from 'vitest';
import { testScenes } from './key-scenes.ts';

/** Parts of the page in `design/`: every component in every state, as long as it is. */
const COMPONENTS = [
  'design-seals',
  'design-opening',
  'design-type',
  'design-actions',
  'design-fields',
  'design-messages',
];

describe('the components', () => testScenes(COMPONENTS, { width: 1280, fullPage: true }));
