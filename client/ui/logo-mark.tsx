import { Seal } from './seal.tsx';

/** The product's own seal, small: beside its name and on its icons. */
export function LogoMark({ size = 40 }: { size?: 40 | 72 }) {
  return <Seal id="time-capsule" years={3} progress={66} locked label={null} size={size} />;
}
