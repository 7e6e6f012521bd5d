/**
 * The look of the page in the export: the colours and shapes of the product, in what browsers of
 * many years understand.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --bg: #f4f1ea;
  --surface: #fcfaf5;
  --ink: #1e2523;
  --ink-2: #4e5753;
  --copper: #96431a;
  --verdigris: #1f6b5e;
  --hairline: #d8d1c1;
  --red: #a8201a;
  --serif: Literata, "Iowan Old Style", Georgia, "DejaVu Serif", serif;
  --sans: "Atkinson Hyperlegible Next", system-ui, "Segoe UI", Roboto, sans-serif;
  --mono: "Martian Mono", ui-monospace, Menlo, Consolas, monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --bg: #121715;
    --surface: #1b2220;
    --ink: #efebe1;
    --ink-2: #b4bbb5;
    --copper: #e59a6c;
    --verdigris: #74c7b2;
    --hairline: #2f3935;
    --red: #ff9d94;
  }
}
* {
  box-sizing: border-box;
  margin: 0;
  padding: 0;
}
body {
  max-width: 46rem;
  margin: 0 auto;
  padding: 0 16px 72px;
  background: var(--bg);
  color: var(--ink);
  font: 1rem / 1.55 var(--sans);
  overflow-wrap: anywhere;
}
h1,
h2,
h3 {
  font-family: var(--serif);
  font-weight: 600;
  line-height: 1.25;
  text-wrap: balance;
}
a {
  color: var(--copper);
  text-underline-offset: 0.2em;
}
a:focus-visible,
video:focus-visible {
  outline: 3px solid var(--ink);
  outline-offset: 2px;
}
ul,
ol {
  list-style: none;
}
time {
  white-space: nowrap;
}
.quiet {
  color: var(--ink-2);
  font-size: 0.875rem;
}
.lost {
  color: var(--red);
}

.seal {
  flex: none;
  overflow: visible;
  fill: none;
  --metal: var(--verdigris);
}
.locked .seal {
  --metal: var(--copper);
}
.seal path {
  stroke: var(--metal);
  stroke-linecap: round;
}
.seal .bark {
  fill: var(--surface);
}
.seal .ahead {
  stroke-dasharray: 1.5 5;
  opacity: 0.75;
}

.cover {
  display: grid;
  gap: 16px;
  place-content: center;
  justify-items: center;
  min-height: 80vh;
  padding: 48px 0;
  text-align: center;
}
.cover h1 {
  margin-top: 16px;
  font-size: clamp(2.25rem, 6vw, 3.5rem);
}
.cover p {
  max-width: 36rem;
}
.bio {
  font: italic 1.125rem / 1.55 var(--serif);
  white-space: pre-line;
}

.contents,
.sealed {
  padding: 48px 0;
  border-top: 1px solid var(--hairline);
}
.sealed {
  margin-top: 48px;
}
.contents h2,
.sealed h2 {
  font-size: 1.75rem;
}
.contents h3 {
  margin: 24px 0 8px;
  color: var(--verdigris);
}
.contents li {
  display: grid;
  grid-template-columns: 2.5rem minmax(0, 1fr);
  padding: 6px 0;
}
.contents li > span:first-child {
  color: var(--ink-2);
  font: 0.8125rem / 1.9 var(--mono);
}
.contents li .quiet {
  grid-column: 2;
}
.contents > p {
  margin-top: 24px;
}

.capsule {
  margin-top: 24px;
  padding: 32px 24px;
  border: 1px solid var(--hairline);
  border-radius: 14px;
  background: var(--surface);
}
.capsule > * + * {
  margin-top: 24px;
}
.capsule > header,
.sealed li {
  display: flex;
  align-items: center;
  gap: 16px;
}
.capsule header > div,
.sealed li > div {
  flex: 1;
  min-width: 0;
}
.capsule h2 {
  font-size: 1.75rem;
}
.number {
  color: var(--verdigris);
  font: 0.8125rem / 1.6 var(--mono);
}
.letter {
  max-width: 62ch;
  font: 1.125rem / 1.7 var(--serif);
  text-wrap: pretty;
  white-space: pre-wrap;
}
.photos {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 9rem), 1fr));
  gap: 8px;
}
.photos > :first-child {
  grid-column: 1 / -1;
}
.photos img {
  display: block;
  width: 100%;
  aspect-ratio: 4 / 3;
  border: 1px solid var(--hairline);
  border-radius: 6px;
  background: var(--bg);
  object-fit: cover;
}
.photos > :first-child img {
  height: auto;
  max-height: 80vh;
  aspect-ratio: auto 4 / 3;
  object-fit: contain;
}
.memo audio {
  display: block;
  width: 100%;
}
.film figcaption,
.memo figcaption {
  margin-top: 4px;
}
.film video {
  display: block;
  width: 100%;
  max-height: min(70vh, 30rem);
  border-radius: 6px;
  background: #000;
}
.papers {
  border-bottom: 1px solid var(--hairline);
}
.papers li {
  padding: 10px 0;
  border-top: 1px solid var(--hairline);
}
.description {
  white-space: pre-line;
}
.sealed .facts {
  margin-top: 12px;
}
.facts {
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 4px 16px;
  padding-top: 16px;
  border-top: 1px solid var(--hairline);
  font-size: 0.875rem;
}
.facts dt {
  color: var(--ink-2);
}
.facts dd {
  grid-column: 2;
}
.sealed > p {
  margin: 8px 0 16px;
}
.sealed li {
  align-items: start;
  padding: 16px 0;
  border-top: 1px solid var(--hairline);
}
.paper {
  display: none;
}

@media print {
  @page {
    margin: 22mm 20mm 24mm;
    @bottom-left {
      color: #4e5753;
      font:
        9pt Georgia,
        serif;
    }
    @bottom-right {
      color: #4e5753;
      font:
        9pt Georgia,
        serif;
      content: counter(page);
    }
  }
  @page :first {
    @bottom-right {
      content: none;
    }
  }
  :root {
    color-scheme: light;
    --bg: #fff;
    --surface: #fff;
  }
  body {
    max-width: none;
    padding: 0;
    font-size: 10pt;
    orphans: 3;
    widows: 3;
  }
  .screen {
    display: none;
  }
  .paper {
    display: block;
  }
  a {
    color: inherit;
    text-decoration: none;
  }
  h1,
  h2,
  h3,
  header {
    break-after: avoid;
  }
  .cover {
    min-height: 75vh;
    break-after: page;
  }
  .contents,
  .sealed {
    padding: 0;
    border: 0;
  }
  .sealed {
    margin: 0;
    break-before: page;
  }
  .contents li,
  .sealed li,
  .photos li,
  .film,
  .memo,
  .papers li,
  .facts {
    break-inside: avoid;
  }
  /* Programs that know the page of a link print it; browsers don't yet. */
  .contents a::after {
    content: " · " target-counter(attr(href), page);
  }
  .capsule {
    margin: 0;
    padding: 0;
    border: 0;
    break-before: page;
  }
  .letter {
    max-width: none;
    font-size: 12pt;
  }
  .photos {
    grid-template-columns: 1fr 1fr;
  }
  .photos img {
    height: auto;
    max-height: 18cm;
    aspect-ratio: auto;
    object-fit: contain;
  }
  .film video,
  .memo audio {
    display: none;
  }
}
`;
