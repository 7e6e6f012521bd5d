import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { PersonFacts } from './person-facts.tsx';

const ADA = {
  name: 'Ada',
  email: 'ada.l@example.org',
  bio: '',
  createdAt: '2026-01-02T12:00:00.000Z',
};

/** What a reader sees of a person, a line each. */
function linesOf(change: Partial<typeof ADA>): string[] {
  const html = renderToStaticMarkup(<PersonFacts person={{ ...ADA, ...change }} />);
  return html.split(/<[^>]*>/).filter((text) => text !== '');
}

describe('the facts of a person', () => {
  it('names a person by name, address or nothing [2.profile.4]', () => {
    expect(linesOf({})[0]).toBe('Ada');
    expect(linesOf({ name: ' ' })[0]).toBe('ada.l');
    expect(linesOf({ name: '', email: '' })[0]).toBe('User');
  });

  it('says since when, or Recently [2.profile.6]', () => {
    expect(linesOf({}).slice(-1)).toEqual(['Joined 2 January 2026']);
    expect(linesOf({ createdAt: '' }).join('')).toContain('Joined Recently');
  });
});
