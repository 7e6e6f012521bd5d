import { type ReactNode, useLayoutEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { classes } from '../components/classes.ts';
import styles from './prose.module.css';

export interface ProseSection {
  /** Name of the anchor. */
  id: string;
  title: string;
  body: ReactNode;
}

interface ProseProps {
  title: string;
  /** What the page is about, in a sentence or two. */
  lead: ReactNode;
  sections: readonly ProseSection[];
  /** Folded beneath the others, each under its title. */
  more?: readonly ProseSection[];
}

/** A text page. Without folded sections, it has a table of contents beside it on wide screens. */
export function Prose({ title, lead, sections, more }: ProseProps) {
  const { hash } = useLocation();
  // The browser follows `#section` before this page is rendered, so follow it again here.
  useLayoutEffect(() => {
    const section = hash && document.getElementById(hash.slice(1));
    if (!section) return;
    if (section instanceof HTMLDetailsElement) section.open = true;
    section.scrollIntoView();
  }, [hash]);

  return (
    <div className={classes(styles.page, more && styles.folding)}>
      <header className={styles.head}>
        <h1>{title}</h1>
        <p>{lead}</p>
      </header>
      {!more && (
        <nav className={styles.contents} aria-label="On this page">
          <ul>
            {sections.map((section) => (
              <li key={section.id}>
                <a href={`#${section.id}`}>{section.title}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div className={styles.text}>
        {sections.map((section) => (
          <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
            <h2 id={`${section.id}-title`}>{section.title}</h2>
            {section.body}
          </section>
        ))}
      </div>
      {more && (
        <div className={styles.more}>
          {more.map((section) => (
            <details key={section.id} id={section.id}>
              <summary>
                <h2>{section.title}</h2>
              </summary>
              <div className={styles.text}>{section.body}</div>
            </details>
          ))}
        </div>
      )}
    </div>
  );
}
