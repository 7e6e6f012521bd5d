import { useEffect, useId, useRef, useState } from 'react';
import { SEARCH_QUERY_MAX } from '../../../shared/limits.ts';
import { Search, X } from '../../components/icon.tsx';
import styles from './search-box.module.css';

const SEARCH_AFTER_MS = 300;

interface SearchBoxProps {
  query: string;
  onQuery: (query: string) => void;
}

/** Searches while the person types. The address holds the query. */
export function SearchBox({ query, onQuery }: SearchBoxProps) {
  const id = useId();
  const [text, setText] = useState(query);
  const sent = useRef(query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // The back button changed the address: the box follows.
  useEffect(() => {
    if (query === sent.current) return;
    sent.current = query;
    setText(query);
  }, [query]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const send = (value: string) => {
    clearTimeout(timer.current);
    sent.current = value.trim();
    onQuery(sent.current);
  };
  const type = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(value), SEARCH_AFTER_MS);
  };

  return (
    <search className={styles.search}>
      <label className="visually-hidden" htmlFor={id}>
        Search capsules
      </label>
      <Search className={styles.mark} size={18} aria-hidden="true" />
      <input
        id={id}
        type="search"
        className={styles.input}
        placeholder="Search capsules"
        autoComplete="off"
        enterKeyHint="search"
        maxLength={SEARCH_QUERY_MAX}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text);
        }}
      />
      {text !== '' && (
        <button
          type="button"
          className={styles.clear}
          aria-label="Clear search"
          onClick={() => {
            setText('');
            send('');
            // This button disappears with the text.
            document.getElementById(id)?.focus();
          }}
        >
          <X size={18} aria-hidden="true" />
        </button>
      )}
    </search>
  );
}
