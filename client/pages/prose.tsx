import { type ReactNode, useLayoutEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { scrollToAnchor } from '../ui/anchor.ts';
import styles from './prose.module.css';

export interface ProseSection {
  /** Of the anchor. */
  id: string;
  title: string;
  body: ReactNode;
}

interface ProseProps {
  title: string;
  /** What the page is about, in a sentence or two. */
  lead: ReactNode;
  sections: readonly ProseSection[];
}

/** A page to read: its contents beside it where there is room, a measure that suits the eye. */
export function Prose({ title, lead, sections }: ProseProps) {
  const { hash } = useLocation();
  // A link to one section arrives before the page's code does: it is followed once there is one.
  useLayoutEffect(() => {
    if (hash) scrollToAnchor(hash);
  }, [hash]);

  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
        <p>{lead}</p>
      </header>
      <nav className={styles.contents} aria-label="On this page">
        <ul>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>{section.title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.text}>
        {sections.map((section) => (
          <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
            <h2 id={`${section.id}-title`}>{section.title}</h2>
            {section.body}
          </section>
        ))}
      </div>
    </div>
  );
}
