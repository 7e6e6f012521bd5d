import { addYears, type Day, daysBetween } from '../../../shared/day.ts';

const WORDS = 'No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve'.split(' ');

/** 'Seven years, five months', as a person would say it. @param to a day after `from` */
export function waitedText(from: Day, to: Day): string {
  let years = Math.max(0, Number(to.slice(0, 4)) - Number(from.slice(0, 4)));
  if (years > 0 && addYears(from, years) > to) years -= 1;
  const months = Math.min(11, Math.floor(daysBetween(addYears(from, years), to) / 30.4));
  const parts = [counted(years, 'year'), counted(months, 'month')].filter((part) => part !== '');
  const text = parts.join(', ') || counted(daysBetween(from, to), 'day') || 'A moment';
  return text.charAt(0) + text.slice(1).toLowerCase();
}

function counted(count: number, unit: string): string {
  if (count === 0) return '';
  return `${WORDS[count] ?? count} ${unit}${count === 1 ? '' : 's'}`;
}
