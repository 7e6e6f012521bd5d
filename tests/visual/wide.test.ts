import { describe } from 'vitest';
import { KEY_SCENES, testScenes } from './key-scenes.ts';

describe('at 1280 px', () => testScenes(KEY_SCENES, { width: 1280, fullPage: false }));
