/* What opens over the dashboard: in one file of code, which comes after the first screen. */
export { CapsuleDialog } from '../capsule/capsule-dialog.tsx';
export { UserSearch } from './user-search.tsx';
