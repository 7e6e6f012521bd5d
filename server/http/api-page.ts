import { html } from 'hono/html';
import type { Endpoint } from '../../shared/api/endpoint.ts';
import { ENDPOINTS } from '../../shared/api/index.ts';
import { ERRORS } from '../../shared/errors.ts';
import { site } from '../../shared/site.ts';
import { openApiDocument } from './openapi.ts';

/** The API for a reader: every call with what it takes and gives, from the same contracts. */
export function apiPage() {
  const { paths } = openApiDocument('') as { paths: Record<string, Record<string, unknown>> };
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · ${site.name}</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/api/docs.css">
</head>
<body>
<main>
<h1>${site.name} API</h1>
<p>Calls are made with the session cookie that signing in sets. Every unsafe call sends the value of
the cookie <code>XSRF-TOKEN</code> in the header <code>X-XSRF-TOKEN</code>. The machine-readable form
is <a href="/api/openapi.json">openapi.json</a>.</p>
${(Object.entries(ENDPOINTS) as [string, Endpoint][]).map(([name, endpoint]) => {
  const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
  const described = paths[path]?.[endpoint.method.toLowerCase()];
  return html`<section id="${name}">
<h2><span class="method">${endpoint.method}</span> <code>${path}</code></h2>
<p>${endpoint.summary} ${endpoint.access === 'signed-in' ? 'For signed-in people.' : 'For anyone.'}</p>
<details><summary>Parameters, bodies and answers</summary>
<pre tabindex="0">${JSON.stringify(described, null, 2)}</pre></details>
</section>`;
})}
<section id="errors">
<h2>Errors</h2>
<p>Every failure answers with <code>{ message, code, errors? }</code>; <code>errors</code> has a sentence for each refused field.</p>
<table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Message</th></tr></thead>
<tbody>${Object.entries(ERRORS).map(
    ([code, [status, message]]) =>
      html`<tr><td><code>${code}</code></td><td>${status}</td><td>${message}</td></tr>`,
  )}</tbody></table>
</section>
</main>
</body>
</html>`;
}

export const apiPageStyle = `:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; background: light-dark(#f4f1ea, #121715); color: light-dark(#1e2523, #efebe1); }
main { max-width: 60rem; margin: auto; padding: 24px 16px 72px; }
h1 { font: 600 36px/1.2 Georgia, serif; }
h2 { font-size: 18px; margin: 0; overflow-wrap: anywhere; }
section { border-top: 1px solid light-dark(#d8d1c1, #2f3935); padding: 16px 0; }
.method { color: light-dark(#96431a, #e59a6c); }
a { color: light-dark(#96431a, #e59a6c); }
:focus-visible { outline: 3px solid light-dark(#0b57d0, #a8c7fa); outline-offset: 2px; }
summary { cursor: pointer; padding: 8px 0; }
pre { overflow: auto; max-height: 30rem; padding: 12px; background: light-dark(#e9e4d8, #0c100f); border-radius: 6px; font-size: 14px; }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
th, td { text-align: start; padding: 8px 12px 8px 0; border-top: 1px solid light-dark(#d8d1c1, #2f3935); vertical-align: top; }
`;
