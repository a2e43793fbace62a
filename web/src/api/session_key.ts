// The key of the session, which a sign-in gives. It is kept in the storage of this origin and sent as
// a header, because cookies are sent to every port of a host, whoever listens there.

const NAME = 'warden-session';
export const HEADER = 'X-Warden-Session';

let kept = ''; // For browsers that refuse to store anything.

export function sessionKey(): string {
  try {
    return localStorage.getItem(NAME) ?? kept;
  } catch {
    return kept;
  }
}

export function keepSessionKey(key: string): void {
  kept = key;
  try {
    if (key === '') localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, key);
  } catch {
    // The session then lasts as long as the page.
  }
}

export function sessionHeaders(): Record<string, string> {
  const key = sessionKey();
  return key === '' ? {} : { [HEADER]: key };
}
