/**
 * The most common passwords of leaked lists, few enough for the form, which warns of them.
 * `PASSWORD_POLICY=strict` refuses these and many more (`server/domain/accounts/password-policy`). Shorter ones
 * than 5 characters are refused anyway and not listed.
 */
const COMMON = new Set(
  `123456 password 12345678 qwerty 123456789 12345 1234567 password1 1234567890 123123 111111
abc123 qwerty123 1q2w3e4r admin letmein welcome monkey dragon football iloveyou 000000 sunshine
master princess shadow superman azerty trustno1 654321 baseball michael jennifer hunter jordan
harley ranger buster thomas robert soccer batman andrew tigger charlie daniel jessica pepper
zaq12wsx 121212 666666 555555 777777 888888 999999 222222 333333 444444 987654321 qwertyuiop
asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx 1qaz2wsx q1w2e3r4 q1w2e3r4t5 1q2w3e 1q2w3e4r5t password123
password12 passw0rd p@ssw0rd p@ssword welcome1 welcome123 admin123 administrator root123 toor
login access hello hello123 whatever freedom ninja mustang starwars computer internet cheese
summer winter spring autumn orange banana cookie chocolate flower butterfly purple yellow silver
golden diamond crystal angel angels heaven lovely loveme iloveu forever family friends secret
secret123 private default changeme test123 testing tester guest guest123 qwer1234 asdf1234
abcd1234 abcdef abcdefg abcdefgh a123456 aa123456 aaaaaa 112233 123321 123654 159753 147258369
147258 789456 789456123 741852963 963852741 102030 101010 131313 696969 232323 252525 010203
11111 22222 33333 55555 66666 77777 88888 99999 00000 54321 12321 11111111 00000000 88888888
12341234 123412345 12344321 1234qwer 1234abcd 123qwe 123abc qwe123 asd123 zxc123 qweasd qweasdzxc
liverpool chelsea arsenal barcelona juventus realmadrid manchester hockey basketball tennis golf
samsung google facebook twitter amazon apple microsoft windows linux nintendo pokemon minecraft
matthew joshua anthony william andrea nicole ashley amanda melissa michelle george jonathan
samantha alexander elizabeth victoria patrick richard charles maggie ginger buddy bailey sophie
killer hunter2 matrix phoenix cowboy yankees dallas london paris berlin newyork america canada
mexico brazil jesus christ church blessed faith grace mother father brother sister daddy mommy
babygirl sweety sweetheart honey darling qwert azertyuiop motdepasse passwort hallo123 schatz
contraseña senha bonjour timecapsule capsule`
    .split(/\s+/)
    .filter((word) => word.length >= 5),
);

/** @param password is compared without case */
export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase());
}
