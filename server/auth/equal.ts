import { timingSafeEqual } from 'node:crypto';

/** Takes as long whatever differs. */
export function equal(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
