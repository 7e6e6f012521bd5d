import { inSentence } from './part-words.ts';

/** Who can read what is added, in small. */
export function WhoReads({ who }: { who: string }) {
  const asker = inSentence(who) === 'they' ? 'who asked you' : who;
  return (
    <p className="quiet small">
      Not even {asker} can read it before the day. Whoever runs this server could.{' '}
      {/* A new page: this one has another database open than the app. */}
      <a href="/privacy">About privacy</a>
    </p>
  );
}
