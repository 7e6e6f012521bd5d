import sharp from 'sharp';
import type { FixtureFile } from '../fixtures.ts';

/** A small drawing as a JPEG, the same bytes each time: what people keep in a capsule. */
async function drawing(name: string, shapes: string): Promise<FixtureFile> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="720">${shapes}</svg>`;
  const bytes = await sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toBuffer();
  return { name, type: 'image/jpeg', bytes };
}

export function lake(): Promise<FixtureFile> {
  return drawing(
    'The lake in winter.jpg',
    `<rect width="960" height="720" fill="#c9d6dc"/>
    <circle cx="690" cy="190" r="70" fill="#f3e6c8"/>
    <path d="M0 380L170 240L330 370L520 200L760 380L960 290V460H0Z" fill="#6f8791"/>
    <path d="M0 430L240 340L430 430L690 350L960 430V480H0Z" fill="#4b6470"/>
    <rect y="460" width="960" height="260" fill="#e6edf0"/>
    <path d="M120 560H420M300 610H760M80 660H380M560 540H880" stroke="#b4c6ce" stroke-width="8"/>`,
  );
}

export function garden(): Promise<FixtureFile> {
  return drawing(
    'The plum tree.jpg',
    `<rect width="960" height="720" fill="#dfe5c9"/>
    <rect y="520" width="960" height="200" fill="#8ea267"/>
    <path d="M455 720L470 400L505 400L530 720Z" fill="#6b4a33"/>
    <circle cx="480" cy="290" r="210" fill="#5f7f45"/>
    <circle cx="390" cy="260" r="26" fill="#6a3356"/><circle cx="520" cy="200" r="26" fill="#6a3356"/>
    <circle cx="570" cy="330" r="26" fill="#6a3356"/><circle cx="440" cy="390" r="26" fill="#6a3356"/>`,
  );
}

/** A square portrait. */
export function portrait(): Promise<FixtureFile> {
  return drawing(
    'Grace.jpg',
    `<rect width="960" height="720" fill="#d9c6a8"/>
    <circle cx="480" cy="300" r="150" fill="#8d5b3f"/>
    <path d="M200 720C220 520 360 470 480 470S740 520 760 720Z" fill="#2f5d62"/>`,
  );
}
