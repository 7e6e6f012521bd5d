import { createElement, type SVGProps } from 'react';

interface IconData {
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[];
}

interface IconProps extends SVGProps<SVGSVGElement> {
  /** Pixels. */
  size?: number;
}

/** Draws an icon of lucide's: the build puts this in the place of its `createLucideIcon`. */
export function drawIcon({ node }: IconData) {
  return function Icon({ size = 24, ...rest }: IconProps) {
    return createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...rest,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    );
  };
}
