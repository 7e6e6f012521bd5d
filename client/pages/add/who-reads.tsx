export function WhoReads() {
  return (
    <p className="small">
      {/* A new page: this one has another database open than the app. */}
      <a href="/privacy">Who can read it?</a>
    </p>
  );
}
