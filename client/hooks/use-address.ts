import { useEffect, useState } from 'react';

/** The address of bytes, for as long as they are shown. */
export function useAddress(bytes: Blob | ArrayBuffer | undefined, type = ''): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!bytes) return;
    const made = URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes], { type }));
    setAddress(made);
    return () => {
      setAddress(undefined);
      URL.revokeObjectURL(made);
    };
  }, [bytes, type]);
  return address;
}
