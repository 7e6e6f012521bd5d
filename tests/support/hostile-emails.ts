/** As the bounce mailbox takes them. */
const BYTES = 262_144;

/**
 * Emails that are as much work as may be to read, each with the key of an email of ours, so that it is
 * looked into.
 */
export function hostileEmails(key: string): [shape: string, email: string][] {
  const ours = `X-Time-Capsule-Key: ${key}\n`;
  const filled = (begin: string, filling: string, end = '') => {
    const room = BYTES - ours.length - begin.length - end.length;
    return ours + begin + filling.repeat(room / filling.length) + end;
  };
  const header = (begin: string, filling: string) => filled(begin, filling, '\n\nHello');
  const parts = (filling: string) =>
    filled('Content-Type: multipart/mixed; boundary=x\n\n', `--x\n${filling}`);
  const body = (type: string, filling: string) => filled(`Content-Type: ${type}\n\n`, filling);
  const report = (text: string, told: string, filling: string) => {
    const [before = '', after = ''] = `Content-Type: multipart/report; boundary=x

--x
Content-Type: text/plain

${text}
--x
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

${told}

--x
Content-Type: message/rfc822

X-Time-Capsule-Key: ${key}

--x--
`.split('…');
    return filled(before, filling, after);
  };
  const failed = 'Action: failed\nStatus: 5.0.0';
  const answer = (filling: string) =>
    report('Failed', `${failed}\nDiagnostic-Code: smtp; 550 …`, filling);
  const deep = Array.from(
    { length: 6_000 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
  );
  return [
    ['parts within parts', (ours + deep.join('')).slice(0, BYTES)],
    ['emails within emails', filled('', 'Content-Type: message/rfc822\n\n')],
    ['empty parts', parts('\n\n')],
    ['attachments', parts('Content-Type: a/b\n\na\n')],
    ['pages', parts('Content-Type: text/html\n\n<a\n')],
    ['almost a boundary', body('multipart/mixed; boundary=x', '--\n')],
    ['empty lines', body('text/plain', '\n')],
    ['lines that flow', body('text/plain; format=flowed; delsp=yes', ' \n')],
    ['tags', body('text/html', '<a\n')],
    ['comments', body('text/html', '<!--')],
    ['base64', body('text/plain\nContent-Transfer-Encoding: base64', 'QQ==\n')],
    ['quoted-printable', body('text/plain\nContent-Transfer-Encoding: quoted-printable', '=\n')],
    ['headers', header('A: b', '\nA: b')],
    ['a folded header', header('Subject: a', '\n a')],
    ['encoded words', header('Subject: ', '=?utf-8?q?=41?= ')],
    ['almost encoded words', header('Subject: ', '=?')],
    ['addresses', header('To: ', 'a@b.cd, ')],
    ['groups of addresses', header('To: ', 'a:')],
    ['quoted addresses', header('To: ', '"')],
    ['parameters', header('Content-Type: text/plain; ', "a*0*=utf-8''%41; ")],
    ['a status of empty lines', report('Failed', `${failed}…`, '\n')],
    ['a folded status', report('Failed', `${failed}…`, '\n ')],
    ['a status of spaces', report('Failed', `${failed}\nA:${' '.repeat(60_000)}a\ra\n…`, '\n')],
    ['many recipients', report('Failed', `${failed}…`, '\n\nAction: failed')],
    ['an answer of one letter', answer('a')],
    ['an answer of @', answer('a@')],
    ['an answer of <', answer('<')],
    ['an answer of mailboxes', answer('user a ')],
    ['an answer of codes', answer('550 5.')],
    ['a text of one letter', report('…', failed, 'a')],
    ['a text of semicolons', report('…', failed, ';')],
    ['a text of spaces', report('…', failed, ' ')],
  ];
}
