import { addressScenes } from './address-scenes.ts';
import { binScenes } from './bin-scenes.ts';
import { createScenes } from './create-scenes.ts';
import { dashboardScenes } from './dashboard-scenes.ts';
import { designScenes } from './design-scenes.ts';
import { detailsScenes } from './details-scenes.ts';
import { draftScenes } from './draft-scenes.ts';
import { frameScenes } from './frame-scenes.ts';
import { outboxScenes } from './outbox-scenes.ts';
import { peopleScenes } from './people-scenes.ts';
import { profileScenes } from './profile-scenes.ts';
import type { Scene } from './scene.ts';
import { signInScenes } from './sign-in-scenes.ts';
import { visitorScenes } from './visitor-scenes.ts';

/** Every screen in every state, and every component. */
export const allScenes: readonly Scene[] = [
  ...visitorScenes,
  ...dashboardScenes,
  ...detailsScenes,
  ...createScenes,
  ...draftScenes,
  ...outboxScenes,
  ...binScenes,
  ...profileScenes,
  ...peopleScenes,
  ...addressScenes,
  ...signInScenes,
  ...frameScenes,
  ...designScenes,
];

/** @throws when there is none of this name */
export function sceneCalled(name: string): Scene {
  const scene = allScenes.find((each) => each.name === name);
  if (!scene) throw new Error(`There is no scene “${name}”.`);
  return scene;
}
