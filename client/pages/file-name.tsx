/** The name of a file. Wherever it has to be broken, its extension stays whole. */
export function FileName({ children: name }: { children: string }) {
  const extension = /\.\w{1,5}$/.exec(name)?.[0] ?? '';
  return (
    <>
      {name.slice(0, name.length - extension.length)}
      <span className="unbroken">{extension}</span>
    </>
  );
}
