import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import { HelpPage, PrivacyPage, TermsPage } from './text-pages.tsx';

const markup = (Page: ComponentType) =>
  renderToStaticMarkup(
    <StaticRouter location="/">
      <Page />
    </StaticRouter>,
  );

describe('a text page', () => {
  it.each([HelpPage, PrivacyPage, TermsPage])('%o is filled in, under its titles', (Page) => {
    const html = markup(Page);
    expect(html).not.toMatch(/[{}[\]|]|\(\/|## /);
    expect(html.match(/<h2/g)?.length).toBeGreaterThan(5);
  });

  it('has the anchors that others link to', () => {
    expect(markup(HelpPage)).toContain(' id="leaving"');
    expect(markup(PrivacyPage)).toMatch(/<section[^>]* id="operator"/);
  });

  it('has links, lists, tables and figures', () => {
    expect(markup(HelpPage)).toContain(
      'your <a href="/dashboard/bin" data-discover="true">bin</a> for 7 days',
    );
    expect(markup(HelpPage)).toContain('<th scope="row">Letter</th><td>50,000</td>');
    expect(markup(TermsPage)).toContain('<li>harass, threaten');
  });
});
