import { createElement, Fragment, type ReactNode, useLayoutEffect } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { classes } from '../../components/classes.ts';
import styles from './prose.module.css';

/** What stands in the place of `{name}`. */
type Parts = Readonly<Record<string, ReactNode>>;

interface ProseProps {
  title: string;
  /** What the page is about, in a sentence or two. */
  lead: ReactNode;
  /**
   * Sections of Markdown, each under `## Title {#anchor}`: paragraphs, lists of `- `, rows of two
   * cells, and links within the app. What is below a line of `---` is folded.
   */
  text: string;
  parts: Parts;
}

/** A text page. Without folded sections, it has a table of contents beside it on wide screens. */
export function Prose({ title, lead, text, parts }: ProseProps) {
  const { hash } = useLocation();
  // The browser follows `#section` before this page is rendered, so follow it again here.
  useLayoutEffect(() => {
    const section = hash && document.getElementById(hash.slice(1));
    if (!section) return;
    if (section instanceof HTMLDetailsElement) section.open = true;
    section.scrollIntoView();
  }, [hash]);

  const [sections = [], more] = text.split('\n---\n').map((half) => sectionsOf(half, parts));
  return (
    <div className={classes(`stack ${styles.page}`, more && `measure ${styles.folding}`)}>
      <header className={`stack gap-16 measure ${styles.head}`}>
        <h1>{title}</h1>
        <p className="quiet large">{lead}</p>
      </header>
      {!more && (
        <nav className={`lines ${styles.contents}`} aria-label="On this page">
          <ul>
            {sections.map((section) => (
              <li key={section.id}>
                <a className="row middle target quiet" href={`#${section.id}`}>
                  {section.title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div className={`stack gap-48 measure ${styles.text}`}>
        {sections.map((section) => (
          <section
            key={section.id}
            className="stack gap-12"
            id={section.id}
            aria-labelledby={`${section.id}-title`}
          >
            <h2 className={more && 'large'} id={`${section.id}-title`}>
              {section.title}
            </h2>
            {section.body}
          </section>
        ))}
      </div>
      {more && (
        <div className={`line-above ${styles.more}`}>
          {more.map((section) => (
            <details key={section.id} className="line-below" id={section.id}>
              <summary className="target">
                <h2 className="large">{section.title}</h2>
              </summary>
              <div className={`stack gap-48 measure ${styles.text}`}>{section.body}</div>
            </details>
          ))}
        </div>
      )}
    </div>
  );
}

function sectionsOf(text: string, parts: Parts) {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [, title = '', id = '', body = ''] = /^(.+) \{#(\S+)\}\n(.+)$/s.exec(section) ?? [];
      const blocks = body.trim().split('\n\n');
      return { id, title, body: blocks.map((block) => blockOf(block, parts)) };
    });
}

function blockOf(block: string, parts: Parts): ReactNode {
  const filled = (text = '') => createElement(Fragment, null, ...text.split(INLINE).map(piece));
  const piece = (text: string): ReactNode => {
    const [, words, to = ''] = /^\[(.+)\]\((.+)\)$/s.exec(text) ?? [];
    if (words) return <Link to={to}>{words}</Link>;
    const name = /^\{(\w+)\}$/.exec(text)?.[1];
    if (!name) return text;
    if (parts[name] === undefined) throw new Error(`Nothing stands for {${name}}.`);
    return parts[name];
  };
  if (block.startsWith('- ')) {
    const items = block.slice(2).split('\n- ');
    return (
      <ul key={block} className="stack gap-8">
        {items.map((item) => (
          <li key={item}>{filled(item)}</li>
        ))}
      </ul>
    );
  }
  if (!block.startsWith('|')) return <p key={block}>{filled(block)}</p>;
  const rows = block.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
  return (
    <table key={block}>
      <tbody>
        {rows.map(([, what, number]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td>{filled(number)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Links and places, apart from the words between them. */
const INLINE = /(\[[^\]]+\]\([^)]+\)|\{\w+\})/;
