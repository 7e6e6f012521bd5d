import { FormFailure } from '../../components/form-failure.tsx';
import { badNews } from '../../hooks/provider-news.ts';
import { useContact } from '../../hooks/use-contact.ts';

/** Why nobody is signed in who comes back from the identity provider. */
export function ProviderNews({ code }: { code: string }) {
  return <FormFailure message={badNews(code, useContact())} />;
}
