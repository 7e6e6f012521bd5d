import { describe } from 'vitest';
import { KEY_SCENES, testScenes } from './key-scenes.ts';

describe('at 360 px', () => testScenes(KEY_SCENES, { width: 360, fullPage: false }));
